import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { Route } from '#server/http/route.ts'
import { systemScope } from '#server/identity/scope.ts'
import { keep } from '#server/jobs/keeper.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Mail } from '#server/mail/message.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import type { Subscribing } from './add-subscription.ts'
import { lookForViolations, type RecordsOf } from './look.ts'
import { alertRoutes } from './routes.ts'
import { sendMails } from './send-mails.ts'
import { sendWebhooks } from './send-webhooks.ts'
import { giveUpCutOff } from './settle.ts'

export interface OpenAlerts {
  routes: Route[]
  /** Looks for what is new every five minutes, and every quarter minute sends what is due, until it is stopped. */
  start(): void
  stop(): Promise<void>
  /** Looks once and writes the messages. */
  look(): Promise<void>
  /** Sends once what is due. */
  send(): Promise<void>
}

interface Opening {
  state: State
  box: SecretBox
  fetch: GuardedFetch
  checkAddress: Subscribing['checkAddress']
  mail: Mail
  publicUrl: string
  recordsOf: RecordsOf
  log: Log
  now: () => Date
}

const lookMs = 5 * 60_000
const sendMs = 15_000

/** Alerts of new violations: subscriptions of users, and what is sent to them. */
export function openAlerts(opening: Opening): OpenAlerts {
  const { state, log, now } = opening
  const looker = keep({
    name: 'compliance alerts',
    everyMs: lookMs,
    log,
    run: (signal, rest) => lookForViolations(opening, now(), { signal, rest }),
  })
  const sender = keep({
    name: 'alerts',
    everyMs: sendMs,
    log,
    async run(signal) {
      await giveUpCutOff(state.as(systemScope), now())
      await Promise.all([sendMails(opening, signal), sendWebhooks(opening, signal)])
    },
  })
  return {
    routes: alertRoutes(opening),
    start() {
      looker.start()
      sender.start()
    },
    async stop() {
      await Promise.all([looker.stop(), sender.stop()])
    },
    look: () => looker.idle(),
    send: () => sender.idle(),
  }
}
