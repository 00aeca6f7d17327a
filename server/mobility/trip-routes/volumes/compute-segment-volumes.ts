import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import {
  segmentDayChanges,
  segmentDayColumns,
  segmentHourChanges,
  segmentHourColumns,
} from '../queries/segment-changes.ts'

const limits = { limits: { seconds: 600, memory: 8 * 2 ** 30 } }

/** Brings the segment volumes of local days in line with the routes of trips. What was cut off is put right the next time; only one may do this at a time. */
export async function computeSegmentVolumes(
  facts: Facts,
  scope: Scope,
  regionId: string,
  days: readonly string[],
): Promise<void> {
  if (!days.length) return
  await facts.add(scope, 'segment_hours', segmentHourColumns, segmentHourChanges({ regionId, days }), limits)
  await facts.add(scope, 'segment_days', segmentDayColumns, segmentDayChanges({ regionId, days }), limits)
}
