import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import { type RemovedBefore, removedBefore } from '#server/regions/fact-limits.ts'
import { countFactsVersion } from '#server/regions/facts-version.ts'
import type { Facts } from '#server/stores/facts.ts'
import { sql } from '#server/stores/sql.ts'
import { runAsCaller } from '#server/stores/query-counts.ts'
import type { State } from '#server/stores/state.ts'
import { markDerivedHoursDirty } from '../cubes/mark-derived-hours.ts'
import { markRideDays } from '../ride-days.ts'
import { deriveFleet } from './derive-fleet.ts'
import { deriveTrips } from './derive-trips.ts'
import type { BatchResult, FeedBatch, FleetIngest, OnBatchStored } from './fleet-ingest.ts'
import { EventSearches } from './event-searches.ts'
import { Registry } from './registry.ts'
import { resolveVersions } from './store-events.ts'
import { storeRecords } from './store-records.ts'
import { DirtyMarks, standingMarks, takeBackMarks } from './dirty-marks.ts'
import { withoutRemoved } from './without-removed.ts'
import { InvalidatingCache } from '#server/stores/invalidating-cache.ts'
import { RegionGroups } from '#server/stores/region-groups.ts'
import { createVersionCounter } from '#server/stores/version-counter.ts'
import type { DeriveFromTrips } from './fleet-derivation.ts'
import type { DerivedProduct } from '#server/derived/derived-product.ts'
import { Derivation } from '#server/derived/derivation.ts'
import { markDirty, markNewSpans } from '#server/derived/dirty-spans.ts'

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

export interface FleetIngestOptions {
  state: State
  facts: Facts
  log: Log
  /** Ms since 1970. */
  now: () => number
  onBatchStored?: OnBatchStored
  /** Derives routes, which are a room of their own. */
  deriveFromTrips: DeriveFromTrips
  /** The runner of derived data; without it, a runner of the fleet alone. */
  derivation?: Derivation
}

/** The fleet among the derived products. Its spans are the runs of stored batches, with lists of their vehicles and trips. */
export const fleet = 'fleet'

/** Cached answers for maps are thrown away at most so often, ms. */
const factsVersionIntervalMs = 10_000

/** How long removals by another server may go unseen, ms. */
const limitsCacheMs = 5000

/** A run that an earlier process did not derive, and the times (ms) of its records, with a margin. */
interface UnderivedRun {
  regionId: string
  runId: string
  from: string
  until: string
}

const underivedRuns = sql`
  select region_id as regionId, toString(run_id) as runId, toString(toUnixTimestamp64Milli(min(from_time)) - 14 * 86400000) as from, toString(toUnixTimestamp64Milli(max(from_time)) + 28 * 86400000) as until
  from (${standingMarks})
  group by region_id, run_id`

/** Opens the ingest of fleets. What an earlier process stored and did not derive is marked in the background, before any new batch. */
export async function openFleetIngest({
  state,
  facts,
  log,
  now,
  onBatchStored: onTaken,
  deriveFromTrips,
  derivation = new Derivation({ state, log, now }),
}: FleetIngestOptions): Promise<FleetIngest> {
  const registry = new Registry(facts)
  const searches = new EventSearches(facts)
  const limits = new InvalidatingCache<RemovedBefore>({
    changes: state.changes,
    tables: ['retention_limit'],
    ttlMs: limitsCacheMs,
    maxEntries: 1000,
    now,
  })
  const throttle = new Throttle(factsVersionIntervalMs, now)
  const nextVersion = createVersionCounter(now)

  /**
   * What vehicles did and which trips they made (decision 009). Reads events, reports and telemetry; writes intervals, parking events, trips
   * and routes, withdraws rows that were not found again, and marks the hours and days that changed.
   */
  const product: DerivedProduct = {
    name: fleet,
    description: 'Fleet: events, reports and telemetry to intervals, parking events, trips and routes',
    settleMs: 250,
    maxSpans: 1000,
    // Each derivation reads the recent weeks, whatever little has changed: batches are derived together.
    restFactor: 30,
    maxRestMs: 20_000,
    isOnce: true,
    isPrompt: true,
    async derive({ regionId, scope, timezone, lat, lon, lostAfterHours }, runIds) {
      const changed = { regionId, runIds, version: nextVersion(), lostAfterHours }
      const { since, spans } = await deriveFleet(facts, scope, changed)
      const reach = await deriveTrips(facts, scope, changed, { timezone, lat, lon })
      if (reach) await deriveFromTrips(scope, changed, reach, lat)
      await markDerivedHoursDirty({ state, facts, now }, scope, changed, timezone, reach, since)
      throttle.run(regionId, () =>
        countFactsVersion(state, scope, regionId).catch((error: unknown) =>
          log('facts version', { regionId, error: String(error) }),
        ),
      )
      await takeBackMarks(facts, scope, regionId, [...runIds, spans])
    },
  }
  derivation.add(product)
  const newRuns = new RegionGroups<{ regionId: string; runId: string }, void>(
    async (runs) => {
      await markNewSpans(
        state,
        fleet,
        runs.map(({ regionId, runId }) => ({ regionId, span: runId })),
        new Date(now()),
      )
      return []
    },
    () => 1,
    product.maxSpans,
  )

  const closing = new AbortController()
  /** Derives what an earlier process stored but did not derive. Requests do not wait for it, new batches do. */
  const recover = async (): Promise<void> => {
    const underived = await facts.rows<UnderivedRun>(systemScope, underivedRuns)
    const start = now()
    if (underived.length) log('fleet', { recovering: underived.length })
    for (const { regionId, runId, from, until } of underived) {
      if (closing.signal.aborted) return
      const found = await state
        .as(systemScope)
        .selectFrom('region')
        .select('organization_id')
        .where('region_id', '=', regionId)
        .executeTakeFirst()
      if (!found) {
        await takeBackMarks(facts, systemScope, regionId, [runId])
        continue
      }
      const scope = regionScope(found.organization_id, regionId)
      const dirtyMarks = new DirtyMarks()
      await resolveVersions(
        facts,
        scope,
        { regionId, batchId: runId, from: Number(from), to: Number(until) },
        dirtyMarks,
      )
      await dirtyMarks.write(facts, scope, regionId, runId)
      await markDirty(state, scope, { product: fleet, regionId }, [runId], new Date(now()))
    }
    if (underived.length) log('fleet', { recovered: underived.length, ms: now() - start })
  }
  const recovered = recover().catch((error: unknown) =>
    log('fleet could not be recovered; the next start tries again', {
      error: error instanceof Error ? error.message : String(error),
    }),
  )

  const takeBatch = async (given: FeedBatch): Promise<BatchResult> => {
    const scope = regionScope(given.organizationId, given.regionId)
    const removed = await limits.get(given.regionId, () => removedBefore(state, scope, given.regionId))
    const { batch, tooOld } = await withoutRemoved(state, scope, given, removed)
    const vehicles = await registry.findNew(scope, batch.regionId, batch.records.vehicles)
    const { runId, ...result } = await storeRecords(facts, scope, batch, vehicles, searches)
    await registry.cache(scope, batch.regionId, vehicles)
    await markRideDays(state, scope, batch.regionId, batch.records.telemetry, now())
    onTaken?.(batch)
    if (runId) await newRuns.add('', { regionId: batch.regionId, runId })
    return { ...result, setAside: result.setAside + tooOld }
  }

  return {
    async store(batch) {
      await recovered
      return runAsCaller('fleet ingest', () => takeBatch(batch))
    },
    findRegistered: (organizationId, regionId, operator, deviceIds) =>
      registry.find(regionScope(organizationId, regionId), regionId, operator, deviceIds),
    whenDerived: () => recovered.then(() => derivation.idle([fleet])),
    async close() {
      closing.abort()
      await recovered
      throttle.close()
      await derivation.stop()
    },
  }
}
