import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { TripFilters } from './evaluation.ts'
import { aggregations, spatialModes, maxBufferMeters, maxParkedMinutes } from './map-names.ts'
import { LocalDay } from './period.ts'

export const SpatialMode = z.enum(spatialModes)
export type SpatialMode = z.infer<typeof SpatialMode>

export type SpatialAggregation = (typeof aggregations)[SpatialMode][number]
export const SpatialAggregation = z.enum(Object.values(aggregations).flat() as SpatialAggregation[])

/** Unit of a value. `vehicles`: average number; `share`: percent of the fleet in the region. */
export const SpatialUnit = z.enum([
  'trips',
  'trips_per_day',
  'meters',
  'events',
  'events_per_day',
  'minutes',
  'vehicles',
  'share',
])
export type SpatialUnit = z.infer<typeof SpatialUnit>

/**
 * Request for values by shape, for all modes of maps, by the web app. The specification defines `SpatialQuestion` of
 * evaluation.ts instead, for trips only; the same evaluation answers both.
 *
 * Days are local, both ends included.
 * - `hour_filters`: first and last hour of the local day, both included; `[22, 5]` runs overnight.
 * - `parked_duration`: minimum duration of parking events in minutes.
 * - `shape_filter`: depends on the mode. For trips it selects those with their other end in that shape and,
 *   for `intersect`, also those that cross it.
 */
export const SpatialRequest = TripFilters.omit({ region_id: true })
  .extend({
    mode: SpatialMode,
    aggregation: SpatialAggregation,
    shape_layer_uuid: z.uuid(),
    buffer: z.number().min(0).max(maxBufferMeters).default(0),
    parked_duration: z.number().int().min(0).max(maxParkedMinutes).default(0),
    shape_filter: z.uuid().nullable().default(null),
  })
  .refine(
    ({ mode, aggregation }) => (aggregations[mode] as readonly string[]).includes(aggregation),
    'The aggregation is of another map',
  )
export type SpatialRequest = z.infer<typeof SpatialRequest>

/**
 * Figures of one shape: the requested value (null if there is none), its sample size `n`, and related sums,
 * whose names depend on the mode (`orig`, `dest`, `count`, `total_parked_duration` …).
 */
export const ShapeFigures = z.object({
  value: z.number().nullable(),
  n: z.number(),
  counts: z.record(z.string(), z.number()),
})
export type ShapeFigures = z.infer<typeof ShapeFigures>

/** Number of trips by whether their route is known. */
export const RouteCoverage = z.object({
  trips_with_way: z.number().int(),
  /** These count by their two ends only. */
  trips_without_way: z.number().int(),
})
export type RouteCoverage = z.infer<typeof RouteCoverage>

const method = z.object({ name: z.string(), version: z.number().int(), buffer: z.number() })

/** Response to a `SpatialRequest`, with every shape of the layer and NOT_IN_SHAPE. */
export const SpatialResult = z
  .object({
    shape_data: z.record(z.string(), ShapeFigures),
    /** The same value for the whole region, with each fact counted once; null if there is none. */
    total: z.number().nullable(),
    mode: SpatialMode,
    aggregation: SpatialAggregation,
    unit: SpatialUnit,
    /** Days of the period that pass the weekday filter; values per day are divided by this. */
    days: z.number().int(),
    /** Whether shapes and NOT_IN_SHAPE add up to `total`: `exact`; `more` (a fact counts twice); `never`. */
    adds_up: z.enum(['exact', 'more', 'never']),
    /** For `intersect`: how many trips have routes. */
    ways: RouteCoverage.optional(),
    method,
    milliseconds: z.number(),
    /** Source of the response: facts, hourly cubes, or a cached response to the same request and facts. */
    from: z.enum(['facts', 'cubes', 'cache']),
  })
  .meta({ id: 'SpatialResult' })
export type SpatialResult = z.infer<typeof SpatialResult>

/** Buckets of a time axis. */
export const TimeBucket = z.enum(['hour_of_day', 'day'])
export type TimeBucket = z.infer<typeof TimeBucket>

/** Values by time bucket: one row per bucket, one column per shape. One response has all of a playback. */
export const SpatialByTime = z
  .object({
    /** Hours `0` to `23`, or local days, including those without facts. */
    buckets: z.array(z.string()),
    shape_uuids: z.array(z.string()),
    /** By bucket, then by shape. */
    values: z.array(z.array(z.number().nullable())),
    not_in_shape: z.array(z.number().nullable()),
    total: z.array(z.number().nullable()),
    unit: SpatialUnit,
    /** For `intersect`: how many trips have routes, over all buckets. */
    ways: RouteCoverage.optional(),
    method,
    milliseconds: z.number(),
    from: z.enum(['facts', 'cubes', 'cache']),
  })
  .meta({ id: 'SpatialByTime' })
export type SpatialByTime = z.infer<typeof SpatialByTime>

/** Maximum number of values in a response by time. Larger requests are refused: request fewer days. */
export const maxTimeValues = 2_000_000

const regionParams = z.object({ region_id: z.string() })

export const querySpatial = endpoint({
  route: 'POST /regions/{region_id}/spatial',
  reads: true,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Values by shape of a layer, for any map',
  request: { params: regionParams, body: SpatialRequest },
  response: SpatialResult,
})
export const querySpatialByTime = endpoint({
  route: 'POST /regions/{region_id}/spatial/by_time',
  reads: true,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'The same by hour of the day or by local day',
  request: { params: regionParams, body: z.intersection(SpatialRequest, z.object({ bucket: TimeBucket })) },
  response: SpatialByTime,
})
/** CSV with one line per day and shape, the download of the maps. */
export const downloadSpatialByDay = endpoint({
  route: 'POST /regions/{region_id}/spatial/by_day.csv',
  reads: true,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'The same by local day as CSV',
  request: { params: regionParams, body: SpatialRequest },
  response: { media: 'text/csv' },
})
/** Choices for the filters of a map. */
export const getSpatialExtent = endpoint({
  route: 'GET /regions/{region_id}/spatial/extent',
  permission: 'signed_in',
  summary: 'First and last day, operators and vehicle types of the facts of a map',
  request: { params: regionParams, query: z.object({ mode: SpatialMode }) },
  response: z.object({
    facts: z.number().int(),
    first_day: LocalDay.nullable(),
    last_day: LocalDay.nullable(),
    operators: z.array(z.string()),
    vehicle_types: z.array(z.string()),
  }),
})
