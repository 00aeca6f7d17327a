import { getErrorMessage } from '#contract/problem-text.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import { type RemovedBefore, findRemovedBefore } from '#server/regions/fact-limits.ts'
import { increaseFactsVersion } from '#server/regions/facts-version.ts'
import { createVersionCounter, type Facts } from '#server/stores/facts.ts'
import { sql } from '#server/stores/sql.ts'
import { getCurrentWork } from '#server/stores/workloads.ts'
import { runAsCaller } from '#server/stores/query-counts.ts'
import type { State } from '#server/stores/state.ts'
import { InvalidatingCache } from '#server/stores/invalidating-cache.ts'
import { StatementGroups } from '#server/stores/statement-groups.ts'
import type { DerivedProduct } from '#server/derived/derived-product.ts'
import { Throttle } from '#server/jobs/throttle.ts'
import { Derivation } from '#server/derived/derivation.ts'
import { markDirty, markNewSpans } from '#server/derived/dirty-spans.ts'
import { markDerivedHoursDirty } from '../cubes/mark-derived-hours.ts'
import { markRideDays } from '../ride-days.ts'
import { deriveFleet } from './derive-fleet.ts'
import { deriveTrips } from './derive-trips.ts'
import type { BatchResult, FeedBatch, FleetIngest, OnBatchStored } from './fleet-ingest.ts'
import { BatchTurns } from './batch-turns.ts'
import { EventSearches } from './event-searches.ts'
import { logBatch } from './feed-log.ts'
import { Registry } from './registry.ts'
import { resolveVersions } from './store-events.ts'
import { storeRecords } from './store-records.ts'
import { DirtyMarks, activeMarksSql, withdrawMarks } from './dirty-marks.ts'
import { dropRemovedRecords } from './drop-removed-records.ts'
import type { DeriveFromTrips } from './fleet-derivation.ts'

/** Dependencies of the ingest. */
export interface FleetIngestOptions {
  state: State
  facts: Facts
  log: Log
  /** Milliseconds since 1970. */
  nowMs: () => number
  onBatchStored?: OnBatchStored
  /** Derives routes. They belong to another room. */
  deriveFromTrips: DeriveFromTrips
  /** The runner of derived data; by default one that only derives the fleet. */
  derivation?: Derivation
}

/** Name of the derived product of the fleet. Its spans are runs: batches with marks of vehicles and trips. */
export const fleet = 'fleet'

/** The version of facts, which invalidates cached maps, increases at most once per this interval. */
const factsVersionIntervalMs = 10_000

/** The maximum number of runs that are derived, or marked as dirty, together. */
const maxRunsAtOnce = 1000

/** Larger batches do not wait for turns. Most of their statements are not joined. */
const maxRecordsInTurn = 1000

/** How long a change of retention limits by another server may go unnoticed. */
const limitsCacheMs = 5000

/** A run that an earlier process stored but did not derive, with its time range (ms, with a margin). */
interface UnderivedRun {
  regionId: string
  runId: string
  from: string
  until: string
}

/** SQL for all underived runs. Their margins are two and four weeks. */
const underivedRunsSql = sql`
  select
    region_id as regionId, toString(run_id) as runId,
    toString(toUnixTimestamp64Milli(min(from_time)) - 14 * 86400000) as from,
    toString(toUnixTimestamp64Milli(max(from_time)) + 28 * 86400000) as until
  from (${activeMarksSql})
  group by region_id, run_id`

/**
 * Opens the ingest of fleets. Runs that an earlier process did not derive are marked in the background; new
 * batches wait until this has finished.
 */
export async function openFleetIngest(options: FleetIngestOptions): Promise<FleetIngest> {
  const { state, facts, log, nowMs } = options
  const derivation = options.derivation ?? new Derivation({ state, log, nowMs })
  const registry = new Registry(facts)
  const throttle = new Throttle(factsVersionIntervalMs, nowMs)
  derivation.add(createFleetProduct(options, throttle))
  const storeBatch = createBatchStore(options, registry)
  const closing = new AbortController()
  const recovered = recoverRuns(options, closing.signal).catch((error: unknown) =>
    log('fleet could not be recovered; the next start tries again', { error: getErrorMessage(error) }),
  )
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

/**
 * Creates the derived product of intervals, parking events, trips and routes (decision 009). Reads events,
 * reports and telemetry, withdraws obsolete rows, and marks the hours and days that changed as dirty.
 */
function createFleetProduct(
  { state, facts, log, nowMs, deriveFromTrips }: FleetIngestOptions,
  throttle: Throttle,
): DerivedProduct {
  const nextVersion = createVersionCounter(nowMs)
  return {
    name: fleet,
    description: 'Fleet: events, reports and telemetry to intervals, parking events, trips and routes',
    settleMs: 250,
    maxSpans: maxRunsAtOnce,
    // Each derivation reads recent weeks, for any change. The pause lets batches be derived together.
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
      await markDerivedHoursDirty({ state, facts, nowMs }, scope, fleetDerivation, changes)
      throttle.run(regionId, () =>
        increaseFactsVersion(state, scope, regionId).catch((error: unknown) =>
          log('facts version could not be increased', { regionId, error: getErrorMessage(error) }),
        ),
      )
      await withdrawMarks(facts, scope, regionId, [...runIds, spanRunId])
    },
  }
}

/** Returns a function that stores a batch and marks its run as dirty. */
function createBatchStore(
  { state, facts, nowMs, onBatchStored }: FleetIngestOptions,
  registry: Registry,
): (received: FeedBatch) => Promise<BatchResult> {
  const searches = new EventSearches(facts)
  const retentionLimits = new InvalidatingCache<RemovedBefore>({
    changes: state.changes,
    tables: ['retention_limit'],
    ttlMs: limitsCacheMs,
    maxEntries: 1000,
    nowMs,
  })
  const markRun = createRunMarker(state, nowMs)
  // Pushes must not wait for batches of background work.
  const turns = { light: new BatchTurns(), heavy: new BatchTurns(), background: new BatchTurns() }
  const storeBatch = async (received: FeedBatch): Promise<BatchResult> => {
    const scope = regionScope(received.organizationId, received.regionId)
    const removed = await retentionLimits.get(received.regionId, () =>
      findRemovedBefore(state, scope, received.regionId),
    )
    const { batch, tooOld } = await dropRemovedRecords(state, scope, received, removed)
    const newVehicles = await registry.findNew(scope, batch.regionId, batch.records.vehicles)
    const { runId, ...result } = await storeRecords(facts, scope, batch, { newVehicles, searches })
    await registry.cache(scope, batch.regionId, newVehicles)
    await markRideDays(state, scope, {
      regionId: batch.regionId,
      points: batch.records.telemetry,
      now: nowMs(),
    })
    onBatchStored?.(batch)
    await Promise.all([
      logBatch(facts, scope, batch, result),
      runId && markRun({ regionId: batch.regionId, runId }),
    ])
    return { ...result, setAside: result.setAside + tooOld }
  }
  return (received) =>
    countRecords(received) <= maxRecordsInTurn
      ? turns[getCurrentWork().workload].run(() => storeBatch(received))
      : storeBatch(received)
}

const countRecords = ({ records: { vehicles, events, trips, telemetry, stops } }: FeedBatch): number =>
  vehicles.length + events.length + trips.length + telemetry.length + stops.length

/** Returns a function that marks a new run as dirty. Marks of concurrent batches share a statement. */
function createRunMarker(state: State, nowMs: () => number) {
  const newRuns = new StatementGroups<{ regionId: string; runId: string }, void>(
    async (runs) => {
      await markNewSpans(
        state,
        fleet,
        runs.map(({ regionId, runId }) => ({ regionId, span: runId })),
        new Date(nowMs()),
      )
      return []
    },
    () => 1,
    maxRunsAtOnce,
  )
  // All runs may be marked by the same statement, so they share one key.
  const anyGroup = ''
  return (run: { regionId: string; runId: string }): Promise<void> => newRuns.add(anyGroup, run)
}

/** Marks the runs that an earlier process stored but did not derive. */
async function recoverRuns(
  { state, facts, log, nowMs }: FleetIngestOptions,
  signal: AbortSignal,
): Promise<void> {
  const runs = await facts.rows<UnderivedRun>(systemScope, underivedRunsSql)
  const start = nowMs()
  if (runs.length) log('fleet', { recovering: runs.length })
  for (const run of runs) {
    if (signal.aborted) return
    await recoverRun({ state, facts, nowMs }, run)
  }
  if (runs.length) log('fleet', { recovered: runs.length, ms: nowMs() - start })
}

/** Marks a run as dirty after the steps of its batch that an interruption may have prevented. */
async function recoverRun(
  { state, facts, nowMs }: Pick<FleetIngestOptions, 'state' | 'facts' | 'nowMs'>,
  { regionId, runId, from, until }: UnderivedRun,
): Promise<void> {
  const region = await state
    .as(systemScope)
    .selectFrom('region')
    .select('organization_id')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  // The region was deleted.
  if (!region) return withdrawMarks(facts, systemScope, regionId, [runId])
  const scope = regionScope(region.organization_id, regionId)
  const dirtyMarks = new DirtyMarks()
  await resolveVersions(
    facts,
    scope,
    { regionId, batchId: runId, from: Number(from), to: Number(until) },
    dirtyMarks,
  )
  await dirtyMarks.write(facts, scope, regionId, runId)
  await markDirty(state, scope, { product: fleet, regionId }, { spans: [runId], time: new Date(nowMs()) })
}
