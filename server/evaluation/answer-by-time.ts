import type { SpatialByTime, TimeBucket } from '#contract/spatial.ts'
import { bucketsOf } from './query-time.ts'
import { groupRows } from './group-rows.ts'
import { methodOf, type MapRows } from './spatial-maps.ts'
import { allShapes } from '#server/mobility/cubes/cube-columns.ts'
import { createTimeSlicer } from '#server/stores/time-slices.ts'

/** Values by piece of time, of which there may be two million. What was not asked for (an hour out of the filter, a weekday) has none. */
export async function answerByTime(
  found: MapRows,
  bucket: TimeBucket,
  milliseconds: number,
): Promise<SpatialByTime> {
  const { ask, mode, shapeIds, spans } = found
  const rowsOf = groupRows(found.rows)
  const buckets = bucketsOf(ask, bucket)
  const valueOf = (name: string, shape: number): number | null => {
    const span = spans.get(name)
    return span
      ? mode.figures(ask.aggregation, { rows: rowsOf(name, shape), whole: rowsOf(name, allShapes), span })
          .value
      : null
  }
  const routeCounts = mode.routeCounts?.(
    ask.aggregation,
    buckets.flatMap((name) => rowsOf(name, allShapes)),
  )
  const nextSlice = createTimeSlicer()
  const values: (number | null)[][] = []
  for (const name of buckets) {
    values.push(shapeIds.map((_, at) => valueOf(name, at + 1)))
    await nextSlice()
  }
  return {
    buckets,
    shape_uuids: shapeIds,
    values,
    not_in_shape: buckets.map((name) => valueOf(name, 0)),
    total: buckets.map((name) => valueOf(name, allShapes)),
    unit: mode.unitOf(ask.aggregation),
    ...(routeCounts ? { ways: routeCounts } : {}),
    method: methodOf(found),
    milliseconds,
    from: found.from,
  }
}
