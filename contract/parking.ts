import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ByDayFormat, byDayMedias, TripFilters } from './evaluation.ts'
import { VehicleType } from './mobility.ts'
import { LocalDay, WeekdayList } from './period.ts'
import { aggregations, maxBufferMeters, maxParkedMinutes } from './map-names.ts'
import { SpatialResult } from './spatial.ts'

const ParkingAggregation = z.enum(aggregations.parking)

/** Request of the legacy parking map. `direction` is an aggregation id; other values, and `agg`, mean all. */
export const ParkingQuestion = TripFilters.extend({
  shape_layer_uuid: z.uuid(),
  buffer: z.number().min(0).max(maxBufferMeters).default(0),
  agg: z.string().optional(),
  direction: z.union([ParkingAggregation, z.enum(['orig', 'dest'])]).default('total_parking_events'),
  parked_duration: z.number().int().min(0).max(maxParkedMinutes).default(0),
  shape_filter: z.uuid().nullable().default(null),
}).meta({ id: 'ParkingQuestion' })

/** Parking events that start in one shape: number, minutes parked, requested value and sample size. */
export const ParkingCounts = z.object({
  count: z.number(),
  total_parked_duration: z.number(),
  value: z.number().nullable(),
  n: z.number(),
})
export type ParkingCounts = z.infer<typeof ParkingCounts>

const { total, aggregation, unit, days, adds_up, method, milliseconds, from } = SpatialResult.shape

export const queryParkingSpatial = endpoint({
  route: 'POST /parking_events/spatial',
  reads: true,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Parking events of a period by shape of a layer',
  request: { body: ParkingQuestion },
  response: z.object({
    shape_data: z.record(z.string(), ParkingCounts),
    total,
    aggregation,
    unit,
    days,
    adds_up,
    method,
    milliseconds,
    from,
  }),
})
export const queryParkingByDaySpatial = endpoint({
  route: 'POST /parking_events/by_day_spatial',
  reads: true,
  cost: 'heavy',
  permission: 'signed_in',
  medias: byDayMedias,
  summary: 'The same by local day: GeoJSON unless `format` or Accept asks for JSON or CSV',
  request: { body: ParkingQuestion.extend({ format: ByDayFormat.optional() }) },
  /** Day -> shape uuid (or NOT_IN_SHAPE) -> numbers; days and shapes without parking are omitted. */
  response: z.object({ shape_data_by_day: z.record(z.string(), z.record(z.string(), ParkingCounts)) }),
})

/** Maximum number of places in a response, newest first. */
export const maxParkingEvents = 10_000

/** HH or HH:MM on a local day. */
const Clock = z.string().regex(/^([01]?\d|2[0-4])(:[0-5]\d)?$/, 'A time of day is written HH:MM')

const VehicleTypeList = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((type) => type.trim() || []))
  .pipe(z.array(VehicleType))

export const listParkingEvents = endpoint({
  route: 'GET /regions/{region_id}/parking_events',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'metrics:read',
  personal: true,
  summary: `Places of the newest ${maxParkingEvents} parking events of a question. Lists are separated by commas; \`days\` are ISO weekdays; \`startTime\` and \`endTime\` are clock times of the local day, the end excluded, overnight where it comes first; times within an hour mean the whole hour; \`purposes\` is of curbs and changes nothing here`,
  request: {
    params: z.object({ region_id: z.string() }),
    query: z.object({
      startDate: LocalDay,
      endDate: LocalDay,
      startTime: Clock.optional(),
      endTime: Clock.optional(),
      days: WeekdayList,
      operators: z.string().optional(),
      vehicleTypes: VehicleTypeList,
      purposes: z.string().optional(),
      /** Minutes. */
      minParkingDuration: z.coerce.number().int().min(0).max(maxParkedMinutes).default(0),
    }),
  },
  response: z.object({ data: z.array(z.object({ startLon: z.number(), startLat: z.number() })) }),
})
