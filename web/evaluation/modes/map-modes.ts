import { aggregations } from '#contract/map-names.ts'
import type { SpatialMode } from '#contract/spatial.ts'
import { queryMostRecentTrips } from '#contract/evaluation.ts'
import { listParkingEvents } from '#contract/parking.ts'
import type { MapMode } from '#web/map-page/by-shape/map-mode.ts'
import { call } from '#web/data/client.ts'
import { heatFilters } from '../map-question.ts'

/** The full hour, as the endpoint of parking events expects it: `07:00`, and `24:00` for the end of a day. */
const formatHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** Where vehicles are parked, and for how long. */
const parkingMode: MapMode = {
  key: 'parking',
  filterMeasure: 'parking_events',
  aggregations: aggregations.parking,
  fields: [
    'mode',
    'aggregation',
    'layer',
    'shape',
    'period',
    'compare',
    'parkedDuration',
    'operators',
    'vehicleTypes',
    'times',
    'display',
  ],
  counts: ['count', 'total_parked_duration'],
  canFilterByShape: false,
  heat: {
    places: ['parked'],
    load: async (search, region_id, today, signal) => {
      const { start_date, end_date, hours, days, operators, vehicle_types } = heatFilters(search, today)
      const query = {
        startDate: start_date,
        endDate: end_date,
        startTime: formatHour(hours[0]),
        // `hours` includes its last hour; this endpoint expects the end of it.
        endTime: formatHour(hours[1] + 1),
        days: days?.join(','),
        operators: operators?.join(','),
        vehicleTypes: vehicle_types?.join(','),
        minParkingDuration: search.parked_duration ?? 0,
      }
      const { data } = await call(listParkingEvents, { params: { region_id }, query }, { signal })
      return data.map(({ startLon, startLat }) => ({ lon: startLon, lat: startLat }))
    },
  },
}

/** Where trips start, end and pass. */
const tripsMode: MapMode = {
  key: 'trips',
  filterMeasure: 'trips',
  aggregations: aggregations.trips,
  fields: [
    'mode',
    'aggregation',
    'layer',
    'shape',
    'period',
    'compare',
    'operators',
    'vehicleTypes',
    'times',
    'display',
  ],
  counts: ['orig', 'dest', 'count'],
  // API names: trips with and without a known route.
  countsByAggregation: { intersect: ['with_way', 'without_way'] },
  countsWithoutTotal: ['count'],
  canFilterByShape: true,
  heat: {
    places: ['origin', 'destination'],
    load: async (search, region_id, today, signal) => {
      const { start_date, end_date, hours, operators, vehicle_types, days } = heatFilters(search, today)
      const location = search.heat === 'destination' ? 'destination' : 'origin'
      const query = {
        region_id,
        location,
        start_date,
        end_date,
        start_time_hour: hours[0],
        end_time_hour: hours[1],
        operators: operators?.join(','),
        vehicle_types: vehicle_types?.join(','),
        days: days?.join(','),
      } as const
      return (await call(queryMostRecentTrips, { query }, { signal })).data
    },
  },
}

/** Where operators drop off vehicles. */
const dropOffsMode: MapMode = {
  key: 'drop_offs',
  filterMeasure: 'drop_offs',
  aggregations: aggregations.drop_offs,
  fields: [
    'mode',
    'aggregation',
    'layer',
    'shape',
    'period',
    'compare',
    'operators',
    'vehicleTypes',
    'times',
    'display',
  ],
  counts: ['count'],
  canFilterByShape: false,
  heat: null,
  targetPolicyType: 'operator_drop_offs',
}

/** How the fleet is distributed, in total and by operator. */
const distributionMode: MapMode = {
  key: 'distribution',
  filterMeasure: 'fleet_avg',
  aggregations: aggregations.distribution,
  fields: [
    'mode',
    'aggregation',
    'layer',
    'shape',
    'period',
    'compare',
    'operators',
    'vehicleTypes',
    'times',
    'display',
  ],
  counts: ['available', 'reserved', 'non_operational', 'non_contactable'],
  canFilterByShape: false,
  heat: null,
  targetPolicyType: 'distribution',
}

/** All modes. To add one, define it above and add it here. */
export const mapModes: Readonly<Record<SpatialMode, MapMode>> = {
  trips: tripsMode,
  parking: parkingMode,
  distribution: distributionMode,
  drop_offs: dropOffsMode,
}
