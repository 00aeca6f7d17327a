import { endIncidentSubscription } from '#contract/incidents.ts'
import { EndSubscription } from '#web/shell/end-subscription.tsx'

/** The page behind the unsubscribe link in mails about incidents. */
export function UnsubscribeScreen() {
  return <EndSubscription endpoint={endIncidentSubscription} textKey="health:unsubscribe" />
}
