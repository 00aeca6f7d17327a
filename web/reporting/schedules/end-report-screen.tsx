import { endReportByToken } from '#contract/report-schedules.ts'
import { EndSubscription } from '#web/shell/end-subscription.tsx'

/** The page behind the unsubscribe link in mails of scheduled reports. */
export function EndReportScreen() {
  return <EndSubscription endpoint={endReportByToken} textKey="reporting:schedules.unsubscribe" />
}
