import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { VehicleType } from './mobility.ts'
import { LocalDay } from './period.ts'

/** The four methods of measuring fleet size (docs/metrics.md, Fleet size). */
export const FleetMethod = z.enum(['avg', 'max', 'sae_max', 'daytime_avg'])

/** Periods of a series. Weeks start on Monday. The requested days may cut off the first and last period. */
export const TimePeriod = z.enum(['day', 'week', 'month'])
export type TimePeriod = z.infer<typeof TimePeriod>

/** Maximum number of periods per request; each requires a query of its own. */
export const maxPeriods = 100
/** Maximum number of days per request by hour. */
export const maxHourlyDays = 92
/** Maximum number of intervals in a response, newest first. */
export const maxNonOperationalEvents = 10_000

/** Days are local, both ends included; operators are separated by commas. */
const FleetQuery = z.object({
  start_date: LocalDay,
  end_date: LocalDay,
  operators: z.string().optional(),
  vehicle_type: VehicleType.optional(),
})
export type FleetQuery = z.output<typeof FleetQuery>

const params = z.object({ region_id: z.string() })
const states = z.record(z.string(), z.number())
const method = z.object({ name: z.string(), version: z.number().int() })

/** Same parameters with optional days; the default is the period of evaluation maps. */
const PeriodQuery = FleetQuery.partial({ start_date: true, end_date: true })
/** Key figures of a period for all requested operators. */
export const RegionMetrics = z
  .object({
    start_date: LocalDay,
    end_date: LocalDay,
    trips: z.number().int(),
    operators: z.number().int(),
    median_trip_distance_m: z.number().nullable(),
  })
  .meta({ id: 'RegionMetrics' })
export const getRegionMetrics = endpoint({
  route: 'GET /regions/{region_id}/metrics',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'metrics:read',
  summary:
    'Trips of a period, operators that made any, and the median distance; without days the last five months',
  request: { params, query: PeriodQuery },
  response: RegionMetrics,
})
export const RegionParking = z
  .object({
    start_date: LocalDay,
    end_date: LocalDay,
    parking_events: z.number().int(),
    /** Minutes until the vehicle left or, for ongoing events, until now. */
    average_parked_duration: z.number().nullable(),
    items: z.array(
      z.object({
        operator: z.string(),
        parking_events: z.number().int(),
        average_parked_duration: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'RegionParking' })
export const getRegionParking = endpoint({
  route: 'GET /regions/{region_id}/parking',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'metrics:read',
  summary: 'Parking events that begin in a period, in all and by operator; without days the last five months',
  request: { params, query: PeriodQuery },
  response: RegionParking,
})

export const getVehiclesByHour = endpoint({
  route: 'GET /regions/{region_id}/vehicles/by_hour',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'metrics:read',
  summary: `Vehicles in the public right of way on average in each hour of the local days, by operator and state; at most ${maxHourlyDays} days`,
  request: { params, query: FleetQuery },
  /** Omits hours without vehicles and future hours; merges repeated ones. `states` add up to `vehicles`. */
  response: z.object({
    items: z.array(
      z.object({ day: LocalDay, hour: z.number().int(), operator: z.string(), vehicles: z.number(), states }),
    ),
    method,
  }),
})
export const getVehiclesByTimePeriod = endpoint({
  route: 'GET /regions/{region_id}/vehicles/by_time_period',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'metrics:read',
  summary: `Size of the fleet by one of four methods, by operator and day, week or month; at most ${maxPeriods} of them`,
  request: {
    params,
    query: FleetQuery.extend({ period: TimePeriod.default('day'), method: FleetMethod.default('avg') }),
  },
  /** A null `operator` is the total. */
  response: z.object({
    items: z.array(z.object({ start: LocalDay, operator: z.string().nullable(), vehicles: z.number() })),
    method,
  }),
})
export const getNonOperationalSummary = endpoint({
  route: 'GET /regions/{region_id}/vehicles/non_operational_summary',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'metrics:read',
  summary:
    'Non-operational vehicles by operator: average, percent of the fleet, number and duration of events',
  request: { params, query: FleetQuery },
  response: z.object({
    items: z.array(
      z.object({
        operator: z.string(),
        /** Average over the elapsed part of the requested days. */
        vehicles: z.number(),
        share: z.number().nullable(),
        /** Number of times that a vehicle became non-operational in the requested days. */
        events: z.number().int(),
        /** Mean duration of these times. */
        average_minutes: z.number().nullable(),
      }),
    ),
    method,
  }),
})
export const listNonOperationalEvents = endpoint({
  route: 'GET /regions/{region_id}/vehicles/non_operational_events',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'metrics:read',
  personal: true,
  summary: `The newest ${maxNonOperationalEvents} times that vehicles became non-operational`,
  request: { params, query: FleetQuery },
  response: z.object({
    /** Milliseconds since 1970; `to` is null for a vehicle that is still non-operational. */
    items: z.array(
      z.object({
        operator: z.string(),
        vehicle_id: z.string(),
        vehicle_type: z.string(),
        from: z.number().int(),
        to: z.number().int().nullable(),
        event_types: z.array(z.string()),
        lon: z.number().nullable(),
        lat: z.number().nullable(),
      }),
    ),
  }),
})
export const getTripsByTimePeriod = endpoint({
  route: 'GET /regions/{region_id}/trips/by_time_period',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'metrics:read',
  summary: 'Trips by operator and day, week or month, with the medians of their distance and duration',
  request: { params, query: FleetQuery.extend({ period: TimePeriod.default('day') }) },
  response: z.object({
    items: z.array(
      z.object({
        start: LocalDay,
        operator: z.string(),
        trips: z.number().int(),
        median_distance_m: z.number().nullable(),
        median_duration_s: z.number().nullable(),
      }),
    ),
    method,
  }),
})
export const getMedianTripDistance = endpoint({
  route: 'GET /regions/{region_id}/metrics/median_trip_distance',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'metrics:read',
  summary: 'Median distance of the trips that start in the requested days, outliers excluded',
  request: { params, query: FleetQuery },
  /** `n`: sample size in trips. */
  response: z.object({ median_distance_m: z.number().nullable(), n: z.number().int(), method }),
})
