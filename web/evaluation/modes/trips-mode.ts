import { askMostRecentTrips } from '#contract/evaluation.ts'
import { aggregations } from '#contract/spatial.ts'
import { call } from '#web/data/client.ts'
import { heatFilters } from '../map-question.ts'
import type { MapMode } from './map-mode.ts'

/** Where trips start, end and pass. */
export const tripsMode: MapMode = {
  key: 'trips',
  page: 'trips',
  aggregations: aggregations.trips,
  fields: [
    'mode',
    'aggregation',
    'layer',
    'shape',
    'period',
    'compare',
    'weekdays',
    'hours',
    'operators',
    'vehicleType',
    'buffer',
    'heat',
    'colors',
  ],
  counts: ['orig', 'dest', 'count'],
  ownCounts: { intersect: ['with_way', 'without_way'] },
  narrows: true,
  heat: {
    places: ['origin', 'destination'],
    load: async (search, region_id, today, signal) => {
      const { start_date, end_date, hours, operators, vehicleType, days } = heatFilters(search, today)
      const location = search.heat === 'destination' ? 'destination' : 'origin'
      const query = {
        region_id,
        location,
        start_date,
        end_date,
        start_time_hour: hours[0],
        end_time_hour: hours[1],
        operators: operators?.join(','),
        vehicle_type: vehicleType,
        days: days?.join(','),
      } as const
      return (await call(askMostRecentTrips, { query }, { signal })).data
    },
  },
}
