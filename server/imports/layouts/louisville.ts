import type { Layout } from './layout.ts'

/** Dockless trips of Louisville: times in steps of 15 minutes, three decimals of degrees, miles, minutes. */
export const louisville: Layout = {
  key: 'louisville',
  title: 'Louisville dockless vehicles',
  identifyingColumns: [
    'tripid',
    'startdate',
    'starttime',
    'tripduration',
    'tripdistance',
    'startlatitude',
    'startlongitude',
  ],
  columns: {
    trip_id: ['tripid'],
    start_date: ['startdate'],
    start_clock: ['starttime'],
    end_date: ['enddate'],
    end_clock: ['endtime'],
    start_lon: ['startlongitude'],
    start_lat: ['startlatitude'],
    end_lon: ['endlongitude'],
    end_lat: ['endlatitude'],
    distance: ['tripdistance'],
    duration: ['tripduration'],
  },
  fixed: { distance_unit: 'mi', duration_unit: 'min', vehicle_type: 'scooter' },
}
