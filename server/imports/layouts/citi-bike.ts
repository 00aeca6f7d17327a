import type { Layout } from './layout.ts'

/** Citi Bike, 2013 to 2021-01, in its several spellings. Birth year and gender are not read. */
export const citiBike: Layout = {
  key: 'citi-bike',
  title: 'Citi Bike (before 2021-02)',
  identifyingColumns: [
    'tripduration',
    'starttime',
    'stoptime',
    'startstationlatitude',
    'startstationlongitude',
    'bikeid',
  ],
  columns: {
    vehicle_id: ['bikeid'],
    start_time: ['starttime'],
    end_time: ['stoptime'],
    start_lon: ['startstationlongitude'],
    start_lat: ['startstationlatitude'],
    end_lon: ['endstationlongitude'],
    end_lat: ['endstationlatitude'],
    duration: ['tripduration'],
  },
  fixed: { duration_unit: 's', operator: 'citi-bike', vehicle_type: 'pedal_bicycle' },
}
