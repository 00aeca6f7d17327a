import { listParkingEvents } from '#contract/parking.ts'
import { aggregations } from '#contract/spatial.ts'
import { call } from '#web/data/client.ts'
import { heatFilters } from '../map-question.ts'
import type { MapMode } from './map-mode.ts'

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** Where vehicles rest, and for how long. */
export const parkingMode: MapMode = {
  key: 'parking',
  page: 'parking',
  aggregations: aggregations.parking,
  fields: [
    'mode',
    'aggregation',
    'layer',
    'shape',
    'period',
    'compare',
    'weekdays',
    'hours',
    'parkedDuration',
    'operators',
    'vehicleType',
    'buffer',
    'heat',
    'colors',
  ],
  counts: ['count', 'total_parked_duration'],
  narrows: false,
  heat: {
    places: ['parked'],
    load: async (search, region_id, today, signal) => {
      const { start_date, end_date, hours, days, operators, vehicleType } = heatFilters(search, today)
      const query = {
        startDate: start_date,
        endDate: end_date,
        startTime: clock(hours[0]),
        endTime: clock(hours[1] + 1),
        days: days?.join(','),
        operators: operators?.join(','),
        vehicleTypes: vehicleType,
        minParkingDuration: search.parkingDurationFilter ?? 0,
      }
      const { data } = await call(listParkingEvents, { params: { region_id }, query }, { signal })
      return data.map(({ startLon, startLat }) => ({ lon: startLon, lat: startLat }))
    },
  },
}
