import type { Layout } from './layout.ts'

/** The layout of Lyft since 2020: Divvy, Citi Bike, Bay Wheels… The file's name contains the operator. */
export const lyft: Layout = {
  key: 'lyft',
  title: 'Lyft bike share (Divvy, Citi Bike, Capital Bikeshare)',
  identifyingColumns: [
    'rideid',
    'rideabletype',
    'startedat',
    'endedat',
    'startlat',
    'startlng',
    'endlat',
    'endlng',
  ],
  columns: {
    trip_id: ['rideid'],
    vehicle_type: ['rideabletype'],
    start_time: ['startedat'],
    end_time: ['endedat'],
    start_lon: ['startlng'],
    start_lat: ['startlat'],
    end_lon: ['endlng'],
    end_lat: ['endlat'],
  },
  fixed: { vehicle_type: 'pedal_bicycle' },
}
