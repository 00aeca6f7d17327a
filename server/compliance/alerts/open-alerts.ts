import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { Route } from '#server/http/route.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Mail } from '#server/mail/message.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import type { SubscriptionContext } from './add-subscription.ts'
import { detectViolations, type FindRecords } from './detect-violations'
import { alertRoutes } from './routes.ts'
import { sendMails } from './send-mails.ts'
import { sendWebhooks } from './send-webhooks.ts'
import { failInterrupted } from './record-delivery'

export interface OpenAlerts {
  routes: Route[]
  /** Finds new violations and writes the messages about them. */
  detect(stop?: AbortSignal): Promise<void>
  /** Sends what is due. */
  send(stop?: AbortSignal): Promise<void>
}

interface AlertsOptions {
  state: State
  box: SecretBox
  fetch: GuardedFetch
  checkAddress: SubscriptionContext['checkAddress']
  mail: Mail
  publicUrl: string
  recordsOf: FindRecords
  log: Log
  now: () => Date
}

const unstopped = new AbortController().signal

/** Alerts of new violations: subscriptions of users, and what is sent to them. */
export function openAlerts(opening: AlertsOptions): OpenAlerts {
  const { state, now } = opening
  return {
    routes: alertRoutes(opening),
    detect: (stop = unstopped) => detectViolations(opening, now(), stop),
    async send(stop = unstopped) {
      await failInterrupted(state.as(systemScope), now())
      await Promise.all([sendMails(opening, stop), sendWebhooks(opening, stop)])
    },
  }
}
