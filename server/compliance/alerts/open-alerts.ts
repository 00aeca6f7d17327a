import type { Route } from '#server/http/route.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Notifications } from '#server/notifications/open-notifications.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import type { SubscriptionContext } from './add-subscription.ts'
import { createAlertKinds } from './alert-kinds.ts'
import type { Compliance } from '../days/find-records.ts'
import { findRecordsByPolicyId } from '../days/read-compliance.ts'
import { detectViolations, type FindRecords } from './detect-violations.ts'
import { alertRoutes } from './routes.ts'

/** Alerts about new violations, as the server uses them. */
export interface OpenAlerts {
  routes: Route[]
  /** Finds new violations and queues the messages about them. */
  detect(stop?: AbortSignal): Promise<void>
}

interface AlertsOptions {
  state: State
  secretBox: SecretBox
  notifications: Notifications
  checkAddress: SubscriptionContext['checkAddress']
  findRecords: FindRecords
  log: Log
  now: () => Date
}

const neverAborted = new AbortController().signal

/** Creates a function that finds the records of a policy as the compliance pages do. */
export const createRecordFinder =
  (compliance: Compliance): FindRecords =>
  ({ scope, policyUuid, first, last, at, signal }) =>
    findRecordsByPolicyId(compliance, {
      viewer: { scope },
      body: { policy_uuid: policyUuid, start_date: first, end_date: last, operators: [], detail: true },
      at,
      signal,
    })

/** Opens alerts about new violations: routes of subscriptions, their notification kinds, and detection. */
export function openAlerts(options: AlertsOptions): OpenAlerts {
  for (const kind of createAlertKinds(options.state)) options.notifications.add(kind)
  return {
    routes: alertRoutes(options),
    detect: (stop = neverAborted) => detectViolations(options, options.now(), stop),
  }
}
