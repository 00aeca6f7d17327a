import { dayFromNumber } from '#contract/period.ts'
import { eventColumns } from '#server/curb/sessions/event-rows.ts'
import { CurbSessions } from '#server/curb/sessions/curb-sessions.ts'
import { curbHours, curbOccupancy } from '#server/curb/product-names.ts'
import { sessionColumns } from '#server/curb/sessions/session-rows.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { readDemoRegion } from '../demo-region.ts'
import { curbFeedKinds } from './curb-feeds.ts'
import { readCurbPlaces } from './curb-places.ts'
import type { CurbDays, CurbRows } from './curb-rows.ts'
import { listPlates } from './deliveries.ts'

/** Days to store before the first page is served, because the feeds continue their open sessions. */
export const recentCurbDays = 2
/** Days per batch, as many as one statement of the hourly sums covers. */
const batchDays = 14

export interface CurbHistoryOptions {
  regionId: string
  seed: number
  secretBox: Pick<SecretBox, 'derive'>
  /** Local days since 1970-01-01, half-open. */
  from: number
  until: number
  /** Time at which the history ends and the feeds begin. */
  seamMs: number
  /** Time of the first run. */
  firstRunMs: number
  /** Generates one batch, for example on another thread. */
  make: (days: CurbDays) => Promise<CurbRows>
  onProgress?: (share: number) => void
}

/** Stores events and sessions of past days, newest first; idempotent. Returns the number of sessions. */
export async function storeCurbHistory(
  { state, facts }: { state: State; facts: Facts },
  scope: Scope,
  { regionId, seed, secretBox, from, until, seamMs, firstRunMs, make, onProgress }: CurbHistoryOptions,
): Promise<number> {
  const region = await readDemoRegion(state.as(scope), regionId)
  const feeds = await state
    .as(scope)
    .selectFrom('feed')
    .select(['feed_id', 'name'])
    .where('region_id', '=', regionId)
    .where('kind', '=', 'cds_push')
    .execute()
  const allPlaces = await readCurbPlaces(state, scope, { regionId, center: region, seed })
  const places = allPlaces.filter(({ hasSensor, use }) => hasSensor || use === 'smart')
  const curbSessions = new CurbSessions({ state, facts, secretBox, nowMs: () => firstRunMs })
  const vehicles = listPlates(places.filter(({ use }) => use === 'smart')).map((plate) => `plate ${plate} PM`)
  const days: Omit<CurbDays, 'from' | 'until'> = {
    regionId,
    timezone: region.timezone,
    seed,
    places,
    endMs: seamMs,
    version: BigInt(firstRunMs) * 1000n,
    hashByVehicle: new Map(vehicles.map((vehicle) => [vehicle, curbSessions.hashVehicle(regionId, vehicle)])),
    feedByKind: new Map(
      curbFeedKinds.map(({ kind, name }) => [kind, feeds.find((feed) => feed.name === name)?.feed_id ?? '']),
    ),
  }
  let count = 0
  for (let end = until; end > from; end -= batchDays) {
    const first = Math.max(from, end - batchDays)
    const rows = await make({ ...days, from: first, until: end })
    if (rows.events.length)
      await facts.insert(scope, 'curb_events', {
        columns: eventColumns,
        regionId,
        lines: rows.events,
        areDistinct: true,
      })
    if (rows.sessions.length)
      await facts.insert(scope, 'curb_sessions', {
        columns: sessionColumns,
        regionId,
        lines: rows.sessions,
        areDistinct: true,
      })
    count += rows.count
    const dirty = Array.from({ length: end - first + 1 }, (_, index) => dayFromNumber(first + index))
    for (const product of [curbHours, curbOccupancy])
      await markDirty(state, scope, { product, regionId }, { spans: dirty, time: new Date(firstRunMs) })
    onProgress?.((until - first) / (until - from))
  }
  return count
}
