import { openFromTime, type RemovedBefore } from '#server/regions/fact-limits.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { FeedBatch } from './fleet-ingest.ts'
import type { FeedRecords, Finding } from './feed-records.ts'

const tooOldFinding = (stream: string, count: number): Finding => ({
  kind: 'schema',
  recordId: '',
  field: stream,
  reason: `${count} ${count === 1 ? 'record is' : 'records are'} older than the region stores: not stored.`,
  raw: '',
})

/**
 * Removes records from a batch that are older than the retention of the region. If they were stored, trips
 * and states would be derived again whose other records are removed. `tooOld`: dropped records that the
 * findings do not count.
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
  const events = openFromTime(removed, ['events', 'trips'], timezone)
  const trips = openFromTime(removed, ['trips'], timezone)
  const telemetry = openFromTime(removed, ['telemetry', 'events', 'trips'], timezone)
  const remaining: FeedRecords = {
    ...records,
    events: records.events.filter(({ time }) => time >= events),
    trips: records.trips.filter(({ startTime }) => startTime >= trips),
    telemetry: records.telemetry.filter(({ time }) => time >= telemetry),
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
        findings: [...records.findings, ...dropped.map(({ stream, count }) => tooOldFinding(stream, count))],
      },
    },
    // The finding of a stream already counts as one record.
    tooOld: dropped.reduce((sum, { count }) => sum + count - 1, 0),
  }
}
