import { openFromTime, type RemovedBefore } from '#server/regions/fact-limits.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { FeedBatch } from './fleet-ingest.ts'
import type { FeedRecords } from './feed-records.ts'
import type { Finding } from './finding.ts'

const tooOld = (stream: string, count: number): Finding => ({
  kind: 'schema',
  recordId: '',
  field: stream,
  reason: `${count} ${count === 1 ? 'record is' : 'records are'} older than the region stores: not stored.`,
  raw: '',
})

/**
 * A batch without records that are older than the region stores, and how many they are. Stored late, they would make trips and states be
 * derived again of which the other records are gone.
 */
export async function withoutRemoved(
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
  const left: FeedRecords = {
    ...records,
    events: records.events.filter(({ time }) => time >= events),
    trips: records.trips.filter(({ startTime }) => startTime >= trips),
    telemetry: records.telemetry.filter(({ time }) => time >= telemetry),
  }
  const dropped = (['events', 'trips', 'telemetry'] as const).flatMap((stream) => {
    const count = records[stream].length - left[stream].length
    return count ? [{ stream, count }] : []
  })
  return {
    batch: {
      ...batch,
      records: {
        ...left,
        findings: [...records.findings, ...dropped.map(({ stream, count }) => tooOld(stream, count))],
      },
    },
    // A finding of each stream is counted by itself.
    tooOld: dropped.reduce((sum, { count }) => sum + count - 1, 0),
  }
}
