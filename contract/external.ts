import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { VehicleType } from './mobility.ts'
import { LocalDay } from './period.ts'

// Calls of the external API that the web app does not make. They need an API key.

const params = z.object({ region_id: z.string() })
/** Days are local, both ends included; default: the last 30 days. Operators are separated by commas. */
const query = z.object({
  start_date: LocalDay.optional(),
  end_date: LocalDay.optional(),
  operators: z.string().max(2000).optional(),
  vehicle_type: VehicleType.optional(),
})
/** Default: one row for all days. */
const period = z.enum(['day', 'week', 'month']).optional()
const external = {
  prefixes: ['/external'],
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'metrics:read',
} as const
const Span = { start_date: LocalDay, end_date: LocalDay }
const Group = {
  /** First day of the period; null: the row is for all days. */
  start: LocalDay.nullable(),
  operator: z.string(),
  vehicle_type: z.string(),
}

export const TripsSummary = z
  .object({
    ...Span,
    items: z.array(
      z.object({
        ...Group,
        trips: z.number(),
        total_distance_m: z.number().nullable(),
        median_distance_m: z.number().nullable(),
        total_duration_s: z.number().nullable(),
        median_duration_s: z.number().nullable(),
      }),
    ),
    /** Days with changed facts and values that are not derived again yet. */
    pending_days: z.number().int(),
  })
  .meta({ id: 'TripsSummary' })
export const getTripsSummary = endpoint({
  ...external,
  route: 'GET /regions/{region_id}/trips_summary',
  summary: 'Trips with their distances and durations, by operator, vehicle type and, if asked, period',
  request: { params, query: query.extend({ period }) },
  response: TripsSummary,
})

export const AverageOperationalVehicles = z
  .object({
    ...Span,
    items: z.array(
      z.object({
        ...Group,
        /** Mean number over time of vehicles that are available, reserved or on a trip; null: unknown. */
        average_operational_vehicles: z.number().nullable(),
        average_non_operational_vehicles: z.number().nullable(),
      }),
    ),
    pending_days: z.number().int(),
  })
  .meta({ id: 'AverageOperationalVehicles' })
export const getAverageOperationalVehicles = endpoint({
  ...external,
  route: 'GET /regions/{region_id}/average_operational_vehicles',
  summary: 'Average operational vehicles by operator, vehicle type and, if asked, period',
  request: { params, query: query.extend({ period }) },
  response: AverageOperationalVehicles,
})

export const MobilityMetrics = z
  .object({
    ...Span,
    /** Measures of each operator by name. Null: unknown. */
    items: z.array(z.object({ operator: z.string(), metrics: z.record(z.string(), z.number().nullable()) })),
    totals: z.record(z.string(), z.number().nullable()),
    units: z.record(z.string(), z.string()),
    pending_days: z.number().int(),
  })
  .meta({ id: 'MobilityMetrics' })
export const getMobilityMetrics = endpoint({
  ...external,
  route: 'GET /regions/{region_id}/mobility_metrics',
  summary: 'All measures of mobility by operator, with their units',
  request: { params, query },
  response: MobilityMetrics,
})

const mds = { media: 'application/vnd.mds+json;version=2.0' } as const
const mdsCall = { prefixes: ['/external'], permission: 'signed_in', response: mds } as const
/** Same as the public feed, but also for regions that do not publish it. */
export const listExternalPolicies = endpoint({
  ...mdsCall,
  route: 'GET /regions/{region_id}/mds/policies',
  scope: 'policies:read',
  summary: 'Published policies of a region as MDS Policy; the Accept header selects the version',
  request: {
    params,
    query: z
      .object({
        start_date: z.string(),
        end_date: z.string(),
        policy_id: z.string(),
        active_only: z.string(),
      })
      .partial(),
  },
})
export const listExternalGeographies = endpoint({
  ...mdsCall,
  route: 'GET /regions/{region_id}/mds/geographies',
  scope: 'geographies:read',
  summary: 'Geographies of the published policies of a region as MDS Geography',
  request: { params },
})
