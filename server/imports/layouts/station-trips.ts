import type { Layout } from './layout.ts'

/** Trips of Healthy Ride (Pittsburgh) and Divvy before 2020. A stations file provides the coordinates. */
export const stationTrips: Layout = {
  key: 'station-trips',
  title: 'Station-based trips (Healthy Ride, Divvy before 2020)',
  identifyingColumns: ['tripid', 'bikeid', 'tripduration', 'fromstationid', 'tostationid'],
  columns: {
    trip_id: ['tripid'],
    vehicle_id: ['bikeid'],
    start_time: ['starttime'],
    end_time: ['stoptime', 'endtime'],
    start_station: ['fromstationid'],
    end_station: ['tostationid'],
    duration: ['tripduration'],
  },
  fixed: { duration_unit: 's', vehicle_type: 'pedal_bicycle' },
}
