import { endAlertSubscriptionByToken } from '#contract/compliance-alerts.ts'
import { EndSubscription } from '#web/shell/end-subscription.tsx'

/** The page that the unsubscribe link in emails about violations opens. */
export function EndAlertsScreen() {
  return <EndSubscription endpoint={endAlertSubscriptionByToken} textKey="compliance:alerts.unsubscribe" />
}
