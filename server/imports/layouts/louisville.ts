import type { Layout } from './layout.ts'

/** Louisville's dockless open data: times in bins of 15 minutes, places to three decimals, miles, minutes. */
export const louisville: Layout = {
  key: 'louisville',
  title: 'Louisville dockless vehicles',
  has: [
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
