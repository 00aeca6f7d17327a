import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import { type RemovedBefore, removedBefore } from '#server/regions/fact-limits.ts'
import { increaseFactsVersion } from '#server/regions/facts-version.ts'
import { createVersionCounter, type Facts } from '#server/stores/facts.ts'
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
import { DirtyMarks, activeMarks, withdrawMarks } from './dirty-marks.ts'
import { dropRemovedRecords } from './drop-removed-records.ts'
import { InvalidatingCache } from '#server/stores/invalidating-cache.ts'
import { RegionGroups } from '#server/stores/region-groups.ts'
import type { DeriveFromTrips } from './fleet-derivation.ts'
import type { DerivedProduct } from '#server/derived/derived-product.ts'
import { Throttle } from '#server/jobs/throttle.ts'
import { Derivation } from '#server/derived/derivation.ts'
import { markDirty, markNewSpans } from '#server/derived/dirty-spans.ts'

export interface FleetIngestOptions {
  state: State
  facts: Facts
  log: Log
  /** Ms since 1970. */
  now: () => number
  onBatchStored?: OnBatchStored
  /** Derives routes. They belong to another room. */
  deriveFromTrips: DeriveFromTrips
  /** The runner of derived data; by default one that only derives the fleet. */
  derivation?: Derivation
}

/**
 * Name of the derived product of the fleet. Its spans are runs: stored batches with marks that list vehicles
 * and trips.
 */
export const fleet = 'fleet'

/** The version of facts, which invalidates cached maps, increases at most once per this interval. */
const factsVersionIntervalMs = 10_000

/** How long a change of retention limits by another server may go unnoticed. */
const limitsCacheMs = 5000

/**
 * A run that an earlier process stored but did not derive, and the time range (ms) of its records with a
 * margin.
 */
interface UnderivedRun {
  regionId: string
  runId: string
  from: string
  until: string
}

const underivedRuns = sql`
  select
    region_id as regionId, toString(run_id) as runId,
    toString(toUnixTimestamp64Milli(min(from_time)) - 14 * 86400000) as from,
    toString(toUnixTimestamp64Milli(max(from_time)) + 28 * 86400000) as until
  from (${activeMarks})
  group by region_id, run_id`

/**
 * Opens the ingest of fleets. Runs that an earlier process did not derive are marked in the background; new
 * batches wait until this has finished.
 */
export async function openFleetIngest({
  state,
  facts,
  log,
  now,
  onBatchStored,
  deriveFromTrips,
  derivation = new Derivation({ state, log, now }),
}: FleetIngestOptions): Promise<FleetIngest> {
  const registry = new Registry(facts)
  const searches = new EventSearches(facts)
  const retentionLimits = new InvalidatingCache<RemovedBefore>({
    changes: state.changes,
    tables: ['retention_limit'],
    ttlMs: limitsCacheMs,
    maxEntries: 1000,
    now,
  })
  const throttle = new Throttle(factsVersionIntervalMs, now)
  const nextVersion = createVersionCounter(now)

  /**
   * Intervals, parking events, trips and routes (decision 009). Reads events, reports and telemetry,
   * withdraws obsolete rows, and marks the hours and days that changed as dirty.
   */
  const product: DerivedProduct = {
    name: fleet,
    description: 'Fleet: events, reports and telemetry to intervals, parking events, trips and routes',
    settleMs: 250,
    maxSpans: 1000,
    // Each derivation reads the recent weeks, however little has changed. The pause lets batches be derived
    // together.
    pauseFactor: 30,
    maxPauseMs: 20_000,
    isOnce: true,
    isPrompt: true,
    async derive({ regionId, scope, timezone, lat, lon, lostAfterHours }, runIds) {
      const fleetDerivation = { regionId, runIds, version: nextVersion(), lostAfterHours }
      const { since, spanRunId } = await deriveFleet(facts, scope, fleetDerivation)
      const tripSpan = await deriveTrips(facts, scope, fleetDerivation, { timezone, lat, lon })
      if (tripSpan) await deriveFromTrips(scope, fleetDerivation, tripSpan, lat)
      const changes = { timezone, tripSpan, since }
      await markDerivedHoursDirty({ state, facts, now }, scope, fleetDerivation, changes)
      throttle.run(regionId, () =>
        increaseFactsVersion(state, scope, regionId).catch((error: unknown) =>
          log('facts version', { regionId, error: String(error) }),
        ),
      )
      await withdrawMarks(facts, scope, regionId, [...runIds, spanRunId])
    },
  }
  derivation.add(product)
  // Joins the marks of concurrent batches into one statement.
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

  /** All runs may be marked by the same statement, so they share one key. */
  const anyGroup = ''

  const closing = new AbortController()
  /** Marks the runs that an earlier process stored but did not derive. */
  const recover = async (): Promise<void> => {
    const underived = await facts.rows<UnderivedRun>(systemScope, underivedRuns)
    const start = now()
    if (underived.length) log('fleet', { recovering: underived.length })
    for (const { regionId, runId, from, until } of underived) {
      if (closing.signal.aborted) return
      const region = await state
        .as(systemScope)
        .selectFrom('region')
        .select('organization_id')
        .where('region_id', '=', regionId)
        .executeTakeFirst()
      if (!region) {
        // The region was deleted.
        await withdrawMarks(facts, systemScope, regionId, [runId])
        continue
      }
      const scope = regionScope(region.organization_id, regionId)
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

  const storeBatch = async (received: FeedBatch): Promise<BatchResult> => {
    const scope = regionScope(received.organizationId, received.regionId)
    const removed = await retentionLimits.get(received.regionId, () =>
      removedBefore(state, scope, received.regionId),
    )
    const { batch, tooOld } = await dropRemovedRecords(state, scope, received, removed)
    const vehicles = await registry.findNew(scope, batch.regionId, batch.records.vehicles)
    const { runId, ...result } = await storeRecords(facts, scope, batch, vehicles, searches)
    await registry.cache(scope, batch.regionId, vehicles)
    await markRideDays(state, scope, batch.regionId, batch.records.telemetry, now())
    onBatchStored?.(batch)
    if (runId) await newRuns.add(anyGroup, { regionId: batch.regionId, runId })
    return { ...result, setAside: result.setAside + tooOld }
  }

  return {
    async store(batch) {
      await recovered
      return runAsCaller('fleet ingest', () => storeBatch(batch))
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
