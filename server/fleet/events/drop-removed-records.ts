import { findFirstOpenMs, type RemovedBefore } from '#server/regions/fact-limits.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { FeedBatch } from './fleet-ingest.ts'
import type { FeedRecords, Finding } from './feed-records.ts'

/** Creates the finding about records of a stream that are too old. */
const createTooOldFinding = (stream: string, count: number): Finding => ({
  kind: 'schema',
  recordId: '',
  field: stream,
  reason: `${count} ${count === 1 ? 'record is' : 'records are'} older than the region stores: not stored.`,
  raw: '',
})

/**
 * Removes records from a batch that are older than the region's retention. If they were stored, trips and
 * states would be derived again from these records alone, as the others are removed. `tooOld`: the number of
 * dropped records minus the findings about them, because each finding is counted as one record.
 */
export async function dropRemovedRecords(
  state: Pick<State, 'as'>,
  scope: Scope,
  batch: FeedBatch,
  removed: RemovedBefore,
): Promise<{ batch: FeedBatch; tooOld: number }> {
  if (!removed.trips && !removed.events && !removed.telemetry) return { batch, tooOld: 0 }
  const { timezone } = await state
    .as(scope)
    .selectFrom('region')
    .select('timezone')
    .where('region_id', '=', batch.regionId)
    .executeTakeFirstOrThrow()
  const { records } = batch
  const firstEventTime = findFirstOpenMs(removed, ['events', 'trips'], timezone)
  const firstTripTime = findFirstOpenMs(removed, ['trips'], timezone)
  const firstTelemetryTime = findFirstOpenMs(removed, ['telemetry', 'events', 'trips'], timezone)
  const remaining: FeedRecords = {
    ...records,
    events: records.events.filter(({ time }) => time >= firstEventTime),
    trips: records.trips.filter(({ startTime }) => startTime >= firstTripTime),
    telemetry: records.telemetry.filter(({ time }) => time >= firstTelemetryTime),
  }
  const dropped = (['events', 'trips', 'telemetry'] as const).flatMap((stream) => {
    const count = records[stream].length - remaining[stream].length
    return count ? [{ stream, count }] : []
  })
  return {
    batch: {
      ...batch,
      records: {
        ...remaining,
        findings: [
          ...records.findings,
          ...dropped.map(({ stream, count }) => createTooOldFinding(stream, count)),
        ],
      },
    },
    tooOld: dropped.reduce((sum, { count }) => sum + count - 1, 0),
  }
}
