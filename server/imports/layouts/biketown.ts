import type { Layout } from './layout.ts'

/** BIKETOWN (Portland), 2016-07 to 2019-08. Since 2019-06 names have underscores, which are normalized. */
export const biketown: Layout = {
  key: 'biketown',
  title: 'BIKETOWN',
  identifyingColumns: [
    'routeid',
    'startlatitude',
    'startdate',
    'starttime',
    'bikeid',
    'distancemiles',
    'duration',
  ],
  columns: {
    trip_id: ['routeid'],
    vehicle_id: ['bikeid'],
    start_date: ['startdate'],
    start_clock: ['starttime'],
    end_date: ['enddate'],
    end_clock: ['endtime'],
    start_lon: ['startlongitude'],
    start_lat: ['startlatitude'],
    end_lon: ['endlongitude'],
    end_lat: ['endlatitude'],
    distance: ['distancemiles'],
    duration: ['duration'],
  },
  fixed: {
    distance_unit: 'mi',
    duration_unit: 'h:mm:ss',
    operator: 'biketown',
    vehicle_type: 'pedal_bicycle',
  },
}
