import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { aggregations, maxBufferMeters } from './map-names.ts'
import { VehicleType, VehicleTypeList } from './mobility.ts'
import { HourRange, hourQuery, LocalDay, Weekday, WeekdayList, fullDay } from './period.ts'

/** Key of the counts of points in no shape of the layer. */
export const notInShape = 'NOT_IN_SHAPE'

/** Trip aggregations of evaluation maps (docs/metrics.md, Evaluation aggregations). */
export const TripAggregation = z.enum(aggregations.trips)
export type TripAggregation = z.infer<typeof TripAggregation>

/** Filters of every trip question. Local days, and hours of the local day, both ends included. */
export const TripFilters = z.object({
  region_id: z.string(),
  start_date: LocalDay,
  end_date: LocalDay,
  /** Operator slugs; empty or absent means all. */
  operators: z.array(z.string()).default([]),
  vehicle_type: VehicleType.nullable().default(null),
  /** Several types; absent or empty means all. Ignored if `vehicle_type` is set. */
  vehicle_types: z.array(VehicleType).max(VehicleType.options.length).optional(),
  /** ISO weekdays; empty: all. */
  days: z.array(Weekday).default([]),
  /** First and last hour, both included; `[22, 5]` runs overnight. */
  hour_filters: HourRange.default(fullDay),
})

/**
 * Request of POST /trips/spatial, with the fields of the specification. Only for trips: the maps of the web
 * app use `SpatialRequest` of spatial.ts, which covers all modes. Both contracts exist because the
 * specification defines this one, and both are answered by the same evaluation.
 *
 * Either `agg` with `direction` orig or dest, as in the specification, or an aggregation id as `direction`.
 * `shape_filter` selects trips with their other end in that shape: for orig_or_dest either end, for intersect
 * also trips that cross it (requires a layer with `intersect_route`).
 */
export const SpatialQuestion = TripFilters.extend({
  shape_layer_uuid: z.uuid(),
  buffer: z.number().min(0).max(maxBufferMeters).default(0),
  agg: z.enum(['total_count', 'average_distance']).default('total_count'),
  direction: z.union([z.enum(['orig', 'dest']), TripAggregation]).default('orig'),
  shape_filter: z.uuid().nullable().default(null),
}).meta({ id: 'SpatialQuestion' })
export type SpatialQuestion = z.infer<typeof SpatialQuestion>

/**
 * Figures of one shape: trips that start in it, end in it, do either. `value` is the requested value, null if
 * there is none. For `intersect`, `count` is the number of trips that pass through, and `orig` and `dest` are
 * null.
 */
export const ShapeCounts = z.object({
  orig: z.number().nullable(),
  dest: z.number().nullable(),
  count: z.number(),
  value: z.number().nullable(),
  n: z.number(),
})
export type ShapeCounts = z.infer<typeof ShapeCounts>

/** Response to a `SpatialQuestion` (specification). `SpatialResult` of spatial.ts is that for all modes. */
export const SpatialResponse = z
  .object({
    /** By shape uuid, plus NOT_IN_SHAPE. Shapes without trips are present with zeros. */
    shape_data: z.record(z.string(), ShapeCounts),
    /** All trips of the question. */
    total: z.number().int(),
    aggregation: TripAggregation,
    unit: z.enum(['trips', 'trips_per_day', 'meters']),
    /** Days of the period that pass the weekday filter; `daily_` values are divided by this. */
    days: z.number().int(),
    /** Whether shapes of the layer overlap, so that a trip may count in several. */
    overlaps: z.boolean(),
    method: z.object({ name: z.string(), version: z.number().int(), buffer: z.number() }),
    milliseconds: z.number(),
    /** Source of the response: facts, hourly cubes, or a cached response to the same request and facts. */
    from: z.enum(['facts', 'cubes', 'cache']),
  })
  .meta({ id: 'SpatialResponse' })
export type SpatialResponse = z.infer<typeof SpatialResponse>

/** Formats of a response by day. GeoJSON has days as properties, and `shape_data_by_day` beside features. */
export const ByDayFormat = z.enum(['geojson', 'json', 'csv'])
export type ByDayFormat = z.infer<typeof ByDayFormat>
export const byDayMedias = ['application/geo+json', 'application/json', 'text/csv'] as const

export const queryTripsSpatial = endpoint({
  route: 'POST /trips/spatial',
  reads: true,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Trips of a period by shape of a layer',
  request: { body: SpatialQuestion },
  response: SpatialResponse,
})
export const queryTripsByDaySpatial = endpoint({
  route: 'POST /trips/by_day_spatial',
  reads: true,
  cost: 'heavy',
  permission: 'signed_in',
  medias: byDayMedias,
  summary: 'The same by local day: GeoJSON unless `format` or Accept asks for JSON or CSV',
  request: { body: SpatialQuestion.extend({ format: ByDayFormat.optional() }) },
  /** Day -> shape uuid (or NOT_IN_SHAPE) -> numbers; days and shapes without trips are omitted. */
  response: z.object({ shape_data_by_day: z.record(z.string(), z.record(z.string(), ShapeCounts)) }),
})
export const maxRecentTrips = 10_000
export const queryMostRecentTrips = endpoint({
  route: 'GET /trips/most_recent_10k',
  cost: 'heavy',
  permission: 'signed_in',
  personal: true,
  summary: 'Origins or destinations of the 10,000 most recent trips of a question',
  request: {
    query: z.object({
      region_id: z.string(),
      location: z.enum(['origin', 'destination']).default('origin'),
      start_date: LocalDay.optional(),
      end_date: LocalDay.optional(),
      operators: z.string().optional(),
      vehicle_type: VehicleType.optional(),
      vehicle_types: VehicleTypeList.optional(),
      days: WeekdayList,
      ...hourQuery,
    }),
  },
  response: z.object({ data: z.array(z.object({ lon: z.number(), lat: z.number() })) }),
})
/** Choices for the filters of a region's trip maps. */
export const getTripsExtent = endpoint({
  route: 'GET /regions/{region_id}/trips/extent',
  permission: 'signed_in',
  summary: 'First and last day, operators and vehicle types of the stored trips',
  request: { params: z.object({ region_id: z.string() }) },
  response: z.object({
    trips: z.number().int(),
    first_day: LocalDay.nullable(),
    last_day: LocalDay.nullable(),
    operators: z.array(z.string()),
    vehicle_types: z.array(VehicleType),
  }),
})
