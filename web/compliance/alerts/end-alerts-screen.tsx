import { endAlertSubscriptionByToken } from '#contract/compliance-alerts.ts'
import { EndSubscription } from '#web/shell/end-subscription.tsx'

/** The page behind the unsubscribe link in mails about violations. */
export function EndAlertsScreen() {
  return <EndSubscription endpoint={endAlertSubscriptionByToken} texts="compliance:alerts.unsubscribe" />
}
