import type { FigureQuery } from '#contract/layer-figures.ts'
import { aggregations, SpatialRequest, type SpatialMode } from '#contract/spatial.ts'
import { Problem } from '#server/http/problem.ts'
import { parseList } from './parse-list.ts'

/** The question of a GET about a layer. */
export function readFigureQuery(mode: SpatialMode, layerId: string, query: FigureQuery): SpatialRequest {
  const offered: readonly string[] = aggregations[mode]
  const aggregation = query.aggregation ?? offered[0]
  if (!aggregation || !offered.includes(aggregation))
    throw new Problem('validation_error', `query.aggregation: one of ${offered.join(', ')}`, [
      { path: 'query.aggregation', message: `One of ${offered.join(', ')}` },
    ])
  return SpatialRequest.parse({
    mode,
    aggregation,
    shape_layer_uuid: layerId,
    start_date: query.start_date,
    end_date: query.end_date,
    operators: parseList(query.operators),
    vehicle_type: query.vehicle_type ?? null,
    days: query.days,
    hour_filters: [query.start_time_hour, query.end_time_hour],
    buffer: query.buffer,
    parked_duration: query.parked_duration,
  })
}
