import { endIncidentSubscription } from '#contract/incidents.ts'
import { EndSubscription } from '#web/shell/end-subscription.tsx'

/** Ends mails about incidents. */
export function UnsubscribeScreen() {
  return <EndSubscription endpoint={endIncidentSubscription} texts="health:unsubscribe" />
}
