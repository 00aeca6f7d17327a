import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { VehicleType, VehicleTypeList } from './mobility.ts'
import { Operator } from './operators.ts'
import { pageQuery, pageSchema } from './page.ts'
import { hourQuery, LocalDay } from './period.ts'
import { Box } from './place.ts'

const regionParams = z.object({ region_id: z.string() })
const tileParams = regionParams.extend({
  z: z.coerce.number().int().min(0).max(22),
  x: z.coerce.number().int().min(0),
  y: z.coerce.number().int().min(0),
})
const tileQuery = z.object({ bucket: z.coerce.number().int().optional(), v: z.string().optional() })

/** Direction along a segment: both, with or against its geometry, or within 45° of a cardinal direction. */
export const routeDirections = ['both', 'forward', 'backward', 'north', 'east', 'south', 'west'] as const
export const RouteDirection = z.enum(routeDirections)
export type RouteDirection = z.infer<typeof RouteDirection>

/** Cardinal directions clockwise from north. */
const compassDirections = ['north', 'east', 'south', 'west'] as const
export type Compass = (typeof compassDirections)[number]

/** Returns the cardinal direction closest to a heading (degrees from north). */
export const getCompassDirection = (heading: number): Compass =>
  compassDirections[Math.round((((heading % 360) + 360) % 360) / 90) % 4] ?? 'north'

/**
 * Returns the number of trips on a segment in the requested direction; `heading` is that of `forward`. A
 * segment runs toward one cardinal direction and, backward, toward the opposite one; in the other two it has
 * no trips.
 */
export function countTripsToward(
  direction: RouteDirection,
  { heading, forward, backward }: { heading: number; forward: number; backward: number },
): number {
  if (direction === 'both') return forward + backward
  if (direction === 'forward') return forward
  if (direction === 'backward') return backward
  const ahead = getCompassDirection(heading)
  if (direction === ahead) return forward
  const isOpposite = compassDirections.indexOf(direction) === (compassDirections.indexOf(ahead) + 2) % 4
  return isOpposite ? backward : 0
}

/** Weekdays as digits separated by commas, Monday 1 to Sunday 7. */
const Weekdays = z.string().regex(/^([1-7](,[1-7])*)?$/, 'Weekdays are written 1,2,…7, Monday first')

/**
 * Filters of the routes map. Days and hours are local and refer to the start of trips; both ends are
 * included. `operators`, `vehicle_types` and `days` are separated by commas; empty means all. Without dates:
 * all days.
 */
export const RouteFilters = z.object({
  start_date: LocalDay.optional(),
  end_date: LocalDay.optional(),
  operators: z.string().max(2000).default(''),
  vehicle_type: VehicleType.optional(),
  vehicle_types: VehicleTypeList.optional(),
  days: Weekdays.default(''),
  ...hourQuery,
})
export type RouteFilters = z.infer<typeof RouteFilters>

/**
 * A street segment between two junctions. `heading`: degrees from north of the direction `forward`. A trip
 * counts once per direction, however often it passed. `trips`: in the requested direction or directions.
 */
export const RouteSegment = z
  .object({
    segment_id: z.string(),
    street: z.string(),
    class: z.string(),
    length_m: z.number(),
    heading: z.number().int(),
    trips: z.number().int(),
    forward: z.number().int(),
    backward: z.number().int(),
  })
  .meta({ id: 'RouteSegment' })
export type RouteSegment = z.infer<typeof RouteSegment>

/** Sort keys of the list; `-` sorts descending. */
const sortKeys = ['trips', 'forward', 'backward', 'street', 'length_m'] as const
export type RouteSortKey = (typeof sortKeys)[number]
const RouteSort = z.enum([...sortKeys, ...sortKeys.map((key) => `-${key}` as const)])
export type RouteSort = z.infer<typeof RouteSort>

export const RouteFormat = z.enum(['csv', 'geojson', 'json', 'zip'])
export type RouteFormat = z.infer<typeof RouteFormat>

/** Number of trips: all, those with a route, and those with a route matched to streets. */
export const routeCounts = {
  trips: z.number().int(),
  trips_with_way: z.number().int(),
  trips_matched: z.number().int(),
}

/** Volumes of all segments with trips, in columns. */
export const RouteVolumes = z
  .object({
    ...routeCounts,
    segment_ids: z.array(z.string()),
    forward: z.array(z.number().int()),
    backward: z.array(z.number().int()),
    /** Index into `streets`, the distinct names and classes. */
    street: z.array(z.number().int()),
    length_m: z.array(z.number()),
    /** Degrees from north of the direction `forward`. */
    heading: z.array(z.number().int()),
    /** West, south, east, north of each segment. */
    boxes: z.array(Box),
    streets: z.array(z.object({ name: z.string(), class: z.string() })),
    /** Number of segments with trips that are no longer in the streets layer and therefore not listed. */
    gone_segments: z.number().int(),
    /** Null if the region has no layer of streets. */
    streets_version: z.string().nullable(),
    milliseconds: z.number(),
  })
  .meta({ id: 'RouteVolumes' })
export type RouteVolumes = z.infer<typeof RouteVolumes>

const distributionSummary = z.object({
  n: z.number().int(),
  mean: z.number().nullable(),
  median: z.number().nullable(),
})

export const RouteStatistics = z
  .object({
    ...routeCounts,
    /** Share of the trips with a route that were matched to streets; null without any. */
    matched_share: z.number().nullable(),
    /** Total length of all routes in meters. */
    ways_length_m: z.number(),
    /** Meters and seconds as reported by operators; outliers are excluded (docs/metrics.md, Trips). */
    distance_m: distributionSummary,
    duration_s: distributionSummary,
    by_hour: z.array(
      z.object({ hour: z.number().int(), trips: z.number().int(), trips_with_way: z.number().int() }),
    ),
    /** `cross_streets`: named streets at the ends of the segment, at most one at each. */
    busiest: z.array(RouteSegment.extend({ cross_streets: z.array(z.string()) })),
  })
  .meta({ id: 'RouteStatistics' })
export type RouteStatistics = z.infer<typeof RouteStatistics>

export const getRouteDateRange = endpoint({
  route: 'GET /regions/{region_id}/routes/date_range',
  permission: 'signed_in',
  scope: 'routes:read',
  summary: 'First and last local day with routes of trips',
  request: { params: regionParams },
  response: z.object({
    start_date: LocalDay.nullable(),
    end_date: LocalDay.nullable(),
    trips_with_way: z.number().int(),
  }),
})
export const listRouteVehicleTypes = endpoint({
  route: 'GET /regions/{region_id}/routes/vehicle_types',
  permission: 'signed_in',
  scope: 'routes:read',
  summary: 'Vehicle types of trips with a route',
  request: { params: regionParams },
  response: z.object({ items: z.array(VehicleType) }),
})
export const listRouteOperators = endpoint({
  route: 'GET /regions/{region_id}/routes/operators',
  permission: 'signed_in',
  scope: 'routes:read',
  summary: 'Operators of trips with a route',
  request: { params: regionParams },
  response: z.object({ items: z.array(Operator) }),
})
export const getRouteStatistics = endpoint({
  route: 'GET /regions/{region_id}/routes/statistics',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'routes:read',
  summary: 'Trips of a question: with and without a route, distance, duration, busiest segments, by hour',
  request: { params: regionParams, query: RouteFilters },
  response: RouteStatistics,
})
const listQuery = RouteFilters.extend({
  direction: RouteDirection.default('both'),
  text: z.string().max(120).optional(),
  order_by: RouteSort.default('-trips'),
})
/** The list as a file with `format` or an Accept header of csv, geo+json or zip; otherwise one page. */
export const listRoutes = endpoint({
  route: 'GET /regions/{region_id}/routes/list',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'routes:read',
  summary: 'Street segments with their volumes; also as csv, geojson, json or zip',
  request: {
    params: regionParams,
    query: listQuery.extend({ format: RouteFormat.optional(), ...pageQuery(50, 5000) }),
  },
  response: pageSchema(RouteSegment).extend(routeCounts),
})
export const downloadRoutes = endpoint({
  route: 'GET /regions/{region_id}/routes/download',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'routes:read',
  summary: 'The whole list as a file',
  request: { params: regionParams, query: listQuery.extend({ format: RouteFormat }) },
  response: { media: 'application/octet-stream' },
})
export const getRouteVolumes = endpoint({
  route: 'GET /regions/{region_id}/routes/volumes',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'routes:read',
  summary: 'Volumes of all segments in columns: for the colors of the map',
  request: { params: regionParams, query: RouteFilters },
  response: RouteVolumes,
})
/** Gzipped MVT with one source layer `shapes`: the street segments, with their id as `shape_uuid`. */
export const getRouteTile = endpoint({
  route: 'GET /regions/{region_id}/routes/vector/{z}/{x}/{y}',
  permission: 'signed_in',
  summary: 'Vector tile of the street segments',
  request: { params: tileParams, query: tileQuery },
  response: { media: 'application/vnd.mapbox-vector-tile' },
})

/** A whole month, YYYY-MM. */
export const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'A month is written YYYY-MM')

/** First and last month of the public map. Null: from the first month with data, or until the newest one. */
const publishedMonths = { first_month: Month.nullable(), last_month: Month.nullable() }

/** Whether the routes of a region are visible without signing in, and which months. */
export const RoutePublishing = z
  .object({
    published: z.boolean(),
    ...publishedMonths,
    /** All completed months with data, the newest first, published or not. */
    months: z.array(Month),
  })
  .meta({ id: 'RoutePublishing' })
export type RoutePublishing = z.infer<typeof RoutePublishing>

/** A change of the publication. An omitted month means no limit. */
const RoutePublishingChange = z
  .object({
    published: z.boolean(),
    first_month: publishedMonths.first_month.default(null),
    last_month: publishedMonths.last_month.default(null),
  })
  .refine(
    ({ first_month: first, last_month: last }) => first === null || last === null || first <= last,
    'The first month is after the last one',
  )
export const getRoutePublishing = endpoint({
  route: 'GET /regions/{region_id}/routes/publishing',
  permission: 'signed_in',
  summary: 'Whether the public routes map is on, and its months',
  request: { params: regionParams },
  response: RoutePublishing,
})
export const setRoutePublishing = endpoint({
  route: 'PATCH /regions/{region_id}/routes/publishing',
  permission: 'publish_to_public_map',
  summary: 'Switch the public routes map on or off, and choose its months',
  request: { params: regionParams, body: RoutePublishingChange },
  response: RoutePublishing,
})

/** Data of the public map: position, completed months, and the minimum number of trips of a segment. */
export const PublicRoutes = z
  .object({
    text: z.string(),
    lat: z.number(),
    lon: z.number(),
    mapZoom: z.number(),
    isMetric: z.boolean(),
    months: z.array(Month),
    privacy_minimum: z.number().int(),
    streets_version: z.string().nullable(),
  })
  .meta({ id: 'PublicRoutes' })
export type PublicRoutes = z.infer<typeof PublicRoutes>

/**
 * Volumes of one month over all operators, vehicle types and both directions. No other breakdown is public,
 * so that the difference of two responses cannot reveal a hidden number. Segments with fewer trips than
 * `privacy_minimum`, or none, are omitted.
 * - `route_share`: the share of trips that have a route, rounded to a whole percent; null if the number of
 *   trips with a route, or of those without one, is below `privacy_minimum`.
 */
export const PublicRouteVolumes = z
  .object({
    month: Month,
    privacy_minimum: z.number().int(),
    route_share: z.number().min(0).max(1).nullable(),
    segment_ids: z.array(z.string()),
    trips: z.array(z.number().int()),
    street: z.array(z.number().int()),
    boxes: z.array(Box),
    streets: z.array(z.string()),
  })
  .meta({ id: 'PublicRouteVolumes' })
export type PublicRouteVolumes = z.infer<typeof PublicRouteVolumes>

export const getPublicRoutes = endpoint({
  route: 'GET /public/regions/{region_id}/routes',
  permission: 'public',
  summary: 'The public routes map of a region, if it is on',
  request: { params: regionParams },
  response: PublicRoutes,
})
export const getPublicRouteVolumes = endpoint({
  route: 'GET /public/regions/{region_id}/routes/volumes',
  cost: 'heavy',
  permission: 'public',
  summary: 'Public volumes of one whole month, small numbers hidden',
  request: { params: regionParams, query: z.object({ month: Month }) },
  response: PublicRouteVolumes,
})
export const getPublicRouteTile = endpoint({
  route: 'GET /public/regions/{region_id}/routes/vector/{z}/{x}/{y}',
  permission: 'public',
  summary: 'Vector tile of the street segments, public',
  request: { params: tileParams, query: tileQuery },
  response: { media: 'application/vnd.mapbox-vector-tile' },
})
