import type { z } from 'zod'
import type { askMostRecentTrips, SpatialQuestion } from '#contract/evaluation.ts'
import type { Layer } from '#contract/geography.ts'
import type { LocalDay } from '#contract/period.ts'
import { chosenPeriod } from './period-presets.ts'
import type { TripsSearch } from './trips-search.ts'

/** The question that the address bar means, of one layer, today. */
export function tripsQuestion(search: TripsSearch, layer: Pick<Layer, 'region_id' | 'shape_layer_uuid'>, today: LocalDay): z.input<typeof SpatialQuestion> {
  const direction = search.aggregation ?? 'origins'
  return {
    region_id: layer.region_id, ...chosenPeriod(search, today),
    operators: search.operators ?? [], vehicle_type: search.vehicleType ?? null, days: search.days ?? [], hour_filters: search.hours ?? [0, 24],
    shape_layer_uuid: layer.shape_layer_uuid, buffer: search.buffer ?? 0, shape_filter: search.shape ?? null,
    agg: direction.startsWith('average_') ? 'average_distance' : 'total_count', direction,
  }
}

type HeatAsk = z.input<typeof askMostRecentTrips.ask.query>

/** The same filters as the points of the heat map take them. */
export function heatQuestion(search: TripsSearch, regionId: string, today: LocalDay): HeatAsk {
  const [start_hour, end_hour] = search.hours ?? [0, 24]
  return {
    region_id: regionId, location: search.heat ?? 'origin', ...chosenPeriod(search, today), start_hour, end_hour,
    operators: search.operators?.join(','), vehicle_type: search.vehicleType, days: search.days?.join(','),
  }
}
