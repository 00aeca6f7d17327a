import { endAlertSubscriptionByToken } from '#contract/compliance-alerts.ts'
import { EndSubscription } from '#web/shell/end-subscription.tsx'

/** Ends mails about violations. */
export function EndAlertsScreen() {
  return <EndSubscription endpoint={endAlertSubscriptionByToken} texts="compliance:alerts.unsubscribe" />
}
