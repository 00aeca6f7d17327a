import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import { countFactsVersion } from '#server/regions/facts-version.ts'
import type { Facts } from '#server/stores/facts.ts'
import { facts as tableOf, sql, bind } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { noteDerivedHours } from '../cubes/note-derived-hours.ts'
import { noteFactDays } from '../note-fact-days.ts'
import { rideDays } from '../ride-days.ts'
import { deriveRoutes } from '../trip-routes/derive-routes.ts'
import { Streets } from '../trip-routes/streets.ts'
import { DeriveLoop, type Waiting } from './derive-loop.ts'
import { deriveFleet } from './derive-fleet.ts'
import { deriveTrips, type TripSpan } from './derive-trips.ts'
import type { FleetKeeper, OnTaken } from './fleet-keeper.ts'
import { Registry } from './registry.ts'
import { settleVersions } from './store-events.ts'
import { storeRecords } from './store-records.ts'
import { Touched } from './touched.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Derivation } from './derivation.ts'
import { onDaysOf } from './queries/trips.ts'
import { noteRouteDays } from '../trip-routes/volumes/route-days.ts'

interface Noting {
  state: Pick<State, 'as'>
  facts: Facts
}

/**
 * Writes down the local days whose ways a derivation has stored or taken back. To be called once deriveRoutes is done and before the runs' lists are
 * emptied: a derivation that was cut off is done again, and notes them then.
 */
export async function noteDerivedDays(
  { state, facts }: Noting,
  scope: Scope,
  { regionId, version }: Pick<Derivation, 'regionId' | 'version'>,
  reach: TripSpan,
): Promise<void> {
  const rows = await facts.rows<{ day: string }>(
    scope,
    sql`select distinct toString(local_date) as day from ${tableOf('trip_routes')} where ${onDaysOf({ regionId, ...reach })} and version = ${bind('UInt64', version)}`,
  )
  await noteRouteDays(
    state,
    scope,
    regionId,
    rows.map(({ day }) => day),
    version,
  )
}

/** Runs something of a name at most once in a while: now if the last time is long ago, else once it is. */
export class Throttle {
  private readonly last = new Map<string, number>()
  private readonly timers = new Map<string, NodeJS.Timeout>()
  private readonly everyMs: number
  private readonly now: () => number

  constructor(everyMs: number, now: () => number) {
    this.everyMs = everyMs
    this.now = now
  }

  run(name: string, work: () => Promise<void>): void {
    if (this.timers.has(name)) return
    const wait = Math.max(0, (this.last.get(name) ?? 0) + this.everyMs - this.now())
    const go = (): void => {
      this.timers.delete(name)
      this.last.set(name, this.now())
      void work()
    }
    if (wait === 0) go()
    else this.timers.set(name, setTimeout(go, wait).unref())
  }

  /** What waits is not run any more. */
  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer)
    this.timers.clear()
  }
}

export interface Keeping {
  state: State
  facts: Facts
  log: Log
  /** Ms since 1970. */
  now: () => number
  onTaken?: OnTaken
}

/** Answers kept for maps are thrown away at most so often, ms. */
const countMs = 10_000

/** A run that an earlier process did not derive, and the moments (ms) of what it brought, with room to both sides. */
interface Left {
  regionId: string
  runId: string
  from: string
  until: string
}

const leftBehind = sql`
  select region_id as regionId, toString(run_id) as runId, toString(toUnixTimestamp64Milli(min(from_time)) - 14 * 86400000) as from, toString(toUnixTimestamp64Milli(max(from_time)) + 28 * 86400000) as until
  from (
    select region_id, run_id, from_time from ${tableOf('fleet_dirty')}
    union all
    select region_id, run_id, toDateTime64(0, 3, 'UTC') as from_time from ${tableOf('trip_dirty')}
  )
  group by region_id, run_id`

/** Opens the keeper of the fleet. What an earlier process stored and did not derive is derived in the background, before any new batch. */
export async function openFleetKeeper({ state, facts, log, now, onTaken }: Keeping): Promise<FleetKeeper> {
  const registry = new Registry(facts)
  const streets = new Streets(state)
  const throttle = new Throttle(countMs, now)
  let lastVersion = 0n
  const nextVersion = (): bigint => {
    const version = BigInt(now()) * 1000n
    lastVersion = version > lastVersion ? version : lastVersion + 1n
    return lastVersion
  }

  const deriveRegion = async (regionId: string, { organizationId, runIds }: Waiting): Promise<void> => {
    const scope = regionScope(organizationId, regionId)
    const region = await state
      .as(scope)
      .selectFrom('region')
      .select(['timezone', 'lat', 'lon', 'lost_after_hours'])
      .where('region_id', '=', regionId)
      .executeTakeFirst()
    if (region) {
      const derivation = { regionId, runIds, version: nextVersion(), lostAfterHours: region.lost_after_hours }
      await deriveFleet(facts, scope, derivation)
      const reach = await deriveTrips(facts, scope, derivation, region)
      if (reach) {
        await deriveRoutes(facts, scope, derivation, reach, streets, region.lat)
        await noteDerivedDays({ state, facts }, scope, derivation, reach)
      }
      await noteDerivedHours({ state, facts, now }, scope, derivation, region.timezone, reach)
      throttle.run(regionId, () =>
        countFactsVersion(state, scope, regionId).catch((error: unknown) =>
          log('facts version', { regionId, error: String(error) }),
        ),
      )
    }
    await facts.emptyRuns(runIds)
  }
  const loop = new DeriveLoop(deriveRegion, log)

  const closing = new AbortController()
  /** Derives what an earlier process stored and did not derive. Requests do not wait for it; new batches do, in their turn. */
  const recover = async (): Promise<void> => {
    const left = await facts.rows<Left>(systemScope, leftBehind)
    const start = now()
    if (left.length) log('fleet', { recovering: left.length })
    for (const { regionId, runId, from, until } of left) {
      if (closing.signal.aborted) return
      const found = await state
        .as(systemScope)
        .selectFrom('region')
        .select('organization_id')
        .where('region_id', '=', regionId)
        .executeTakeFirst()
      if (!found) {
        await facts.emptyRuns([runId])
        continue
      }
      const scope = regionScope(found.organization_id, regionId)
      const touched = new Touched()
      await settleVersions(
        facts,
        scope,
        { regionId, batchId: runId, from: Number(from), to: Number(until), isLarge: true },
        touched,
      )
      await touched.write(facts, scope, regionId, runId)
      loop.wake(regionId, found.organization_id, runId)
    }
    if (left.length) log('fleet', { recovered: left.length, ms: now() - start })
  }
  const recovered = recover().catch((error: unknown) =>
    log('fleet could not be recovered; the next start tries again', {
      error: error instanceof Error ? error.message : String(error),
    }),
  )

  return {
    async take(batch) {
      await recovered
      const scope = regionScope(batch.organizationId, batch.regionId)
      const vehicles = await registry.newOf(scope, batch.regionId, batch.records.vehicles)
      const { runId, ...kept } = await storeRecords(facts, scope, batch, vehicles)
      await registry.remember(scope, batch.regionId, vehicles)
      await noteFactDays(state, scope, batch.regionId, rideDays(batch.records.telemetry))
      onTaken?.(batch)
      if (runId) loop.wake(batch.regionId, batch.organizationId, runId)
      return kept
    },
    registered: (organizationId, regionId, operator, deviceIds) =>
      registry.find(regionScope(organizationId, regionId), regionId, operator, deviceIds),
    settled: () => recovered.then(() => loop.settled()),
    async close() {
      closing.abort()
      await recovered
      throttle.close()
      await loop.close()
    },
  }
}
