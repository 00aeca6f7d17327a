// No schemas here, because the frame of the web app loads this file before any screen.

/** The largest buffer around shapes. */
export const maxBufferMeters = 5000
/** The longest time by which parking events are filtered: a year. */
export const maxParkedMinutes = 525_600

/** Maps with a value for each shape of a layer, and their aggregations, default first (docs/metrics.md). */
export const aggregations = {
  trips: [
    'origins',
    'destinations',
    'daily_origins',
    'daily_destinations',
    'intersect',
    'orig_or_dest',
    'average_origin_distance',
    'average_destination_distance',
  ],
  parking: [
    'total_parking_events',
    'daily_parking_events',
    'total_parked_duration',
    'average_parked_duration',
  ],
  distribution: ['average_vehicles', 'share_of_fleet', 'average_available', 'average_non_operational'],
  drop_offs: ['total_drop_offs', 'daily_drop_offs'],
} as const
export const spatialModes = Object.keys(aggregations) as (keyof typeof aggregations)[]

/** Name of the map of each mode, which is also the path of its page. */
export const spatialMaps = {
  trips: 'trips',
  parking: 'parking',
  distribution: 'distribution',
  drop_offs: 'operator-drop-offs',
} as const satisfies Record<keyof typeof aggregations, string>

/** Maps that a region can allow, in the order of the menu; `policy` enables the policies library. */
export const mapNames = [
  'live',
  '311',
  ...(['routes', ...Object.values(spatialMaps)] as const).toSorted(),
  'policy',
] as const
