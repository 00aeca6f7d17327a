import * as contract from '#contract/api-keys.ts'
import { type Route, route } from '#server/http/route.ts'
import { type RateCounters, SharedRateCounters } from '#server/http/rate-limits.ts'
import type { Job } from '#server/jobs/job.ts'
import type { Notifications } from '#server/notifications/open-notifications.ts'
import type { State } from '#server/stores/state.ts'
import { expiryKind, queueExpiryNotices } from './expiry-notices.ts'
import { KeyFinder } from './find-key.ts'
import { KeyGate } from './key-gate.ts'
import { KeyUsage } from './key-usage.ts'
import { type KeySettings, listKeys } from './list-keys.ts'
import { createKey, revokeKey, rotateKey, takeOverKey, getDefaultDays } from './manage-keys.ts'

export interface ApiKeys {
  gate: KeyGate
  settings: KeySettings
  routes: Route[]
  jobs: Job[]
  /** Stores the counted use of keys. */
  close(): Promise<void>
}

/** Rate counters of keys and of addresses. */
interface KeyCounters {
  counters: RateCounters
  addresses: RateCounters
}

interface ApiKeysOptions {
  state: State
  notifications: Notifications
  counters: KeyCounters
  settings: KeySettings
  now: () => Date
}

/** Age at which rate counters are removed; longer than the window of any limit. */
const oldLimitMs = 10 * 60_000

const createLimitsJob = (counters: SharedRateCounters, now: () => Date): Job => ({
  name: 'remove-old-limits',
  description: 'Removes counts of calls that matter no more',
  every: { seconds: 600, on: 'one server' },
  run: () => counters.removeOld(now().getTime() - oldLimitMs),
})

/** Creates the gate of calls with keys, and the counts of their use. */
export function openKeyGate(
  state: State,
  { counters, addresses }: KeyCounters,
  now: () => Date,
): { gate: KeyGate; usage: KeyUsage } {
  const usage = new KeyUsage(state)
  return { gate: new KeyGate({ finder: new KeyFinder(state, now), counters, addresses, usage, now }), usage }
}

/** Opens API keys: their gate, the routes that administer them, and their jobs. */
export function openApiKeys({ state, notifications, counters, settings, now }: ApiKeysOptions): ApiKeys {
  const { gate, usage } = openKeyGate(state, counters, now)
  notifications.add(expiryKind)
  return {
    gate,
    settings,
    routes: [
      route(contract.listApiKeys, async ({ viewer, at }) => ({
        items: await listKeys(state, viewer, at),
        max_days: settings.maxDays,
        default_days: getDefaultDays(settings),
      })),
      route(contract.createApiKey, (call) => createKey(state, call, settings)),
      route(contract.rotateApiKey, (call) => rotateKey(state, call, settings)),
      route(contract.takeOverApiKey, ({ viewer, params, at }) =>
        takeOverKey(state, viewer, params.key_id, at),
      ),
      route(contract.revokeApiKey, ({ viewer, params, at }) => revokeKey(state, viewer, params.key_id, at)),
    ],
    jobs: [
      {
        name: 'store-key-use',
        description: 'Stores when API keys were used, and how often',
        every: { seconds: 60, on: 'each server', isDue: () => !usage.isEmpty },
        run: () => usage.store(),
      },
      {
        name: 'announce-ending-keys',
        description: 'Writes to owners of API keys that end within 14 days',
        every: { seconds: 6 * 3600, on: 'one server' },
        run: () => queueExpiryNotices(state, now()),
      },
      ...(counters.counters instanceof SharedRateCounters ? [createLimitsJob(counters.counters, now)] : []),
    ],
    close: () => usage.store(),
  }
}
