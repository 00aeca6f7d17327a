import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { Route } from '#server/http/route.ts'
import { systemScope } from '#server/identity/scope.ts'
import { createIntervalJob } from '#server/jobs/interval-job.ts'
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
  /** Looks for what is new every five minutes, and every quarter minute sends what is due, until it is stopped. */
  start(): void
  stop(): Promise<void>
  /** Looks once and writes the messages. */
  detect(): Promise<void>
  /** Sends once what is due. */
  send(): Promise<void>
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

const detectIntervalMs = 5 * 60_000
const sendIntervalMs = 15_000

/** Alerts of new violations: subscriptions of users, and what is sent to them. */
export function openAlerts(opening: AlertsOptions): OpenAlerts {
  const { state, log, now } = opening
  const detectionJob = createIntervalJob({
    name: 'compliance alerts',
    intervalMs: detectIntervalMs,
    log,
    run: (signal, pause) => detectViolations(opening, now(), { signal, pause }),
  })
  const deliveryJob = createIntervalJob({
    name: 'alerts',
    intervalMs: sendIntervalMs,
    log,
    async run(signal) {
      await failInterrupted(state.as(systemScope), now())
      await Promise.all([sendMails(opening, signal), sendWebhooks(opening, signal)])
    },
  })
  return {
    routes: alertRoutes(opening),
    start() {
      detectionJob.start()
      deliveryJob.start()
    },
    async stop() {
      await Promise.all([detectionJob.stop(), deliveryJob.stop()])
    },
    detect: () => detectionJob.idle(),
    send: () => deliveryJob.idle(),
  }
}
