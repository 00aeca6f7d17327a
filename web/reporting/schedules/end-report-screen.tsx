import { endReportByToken } from '#contract/report-schedules.ts'
import { EndSubscription } from '#web/shell/end-subscription.tsx'

/** Ends mails of a scheduled report. */
export function EndReportScreen() {
  return <EndSubscription endpoint={endReportByToken} texts="reporting:schedules.unsubscribe" />
}
