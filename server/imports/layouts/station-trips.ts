import type { Layout } from './layout.ts'

/**
 * Station-based trips without coordinates: Healthy Ride (Pittsburgh), Divvy before 2020. Places come from a
 * stations file.
 */
export const stationTrips: Layout = {
  key: 'station-trips',
  title: 'Station-based trips (Healthy Ride, Divvy before 2020)',
  has: ['tripid', 'bikeid', 'tripduration', 'fromstationid', 'tostationid'],
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
