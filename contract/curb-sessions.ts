import { z } from 'zod'
import { CurbId } from './cds.ts'
import { SourceKind, sourceKinds } from './cds-events.ts'
import { endpoint } from './endpoint.ts'
import { dayMs, fullDay, HourRange, LocalDay, Weekday } from './period.ts'
import { GeometryShape } from './place.ts'

/** Figures of sessions at the curb. The web app has definitions for its users. */
export const curbMeasures = {
  sessions: { unit: 'sessions', definition: 'Parking sessions that start in the period' },
  turnover: {
    unit: 'sessions_per_space_hour',
    definition:
      'Sessions by capacity and open time, of hours in which sources were online for at least half of the hour. A zone is closed while its rules let nobody stop',
  },
  dwell_mean: {
    unit: 'seconds',
    definition: 'Mean duration of sessions with start and end that start in the period',
  },
  dwell_median: { unit: 'seconds', definition: 'Median duration of sessions with start and end' },
  dwell_p90: {
    unit: 'seconds',
    definition: '90th percentile of the duration of sessions with start and end',
  },
  occupancy: {
    unit: 'share',
    definition:
      'Time of sessions within open time by capacity and open time, of hours in which sources were online for at least half of the hour. Measured by sensors or cameras',
  },
  double_parked: { unit: 'sessions', definition: 'Sessions that block another lane than parking' },
  unpermitted: { unit: 'events', definition: 'Violations that sources report' },
  overstays: {
    unit: 'sessions',
    definition:
      'Sessions that lasted longer than the maximum stay of the rule under which they began. Payments are left out: they do not say how long a vehicle stayed',
  },
  early_returns: {
    unit: 'sessions',
    definition: 'Sessions of a vehicle that came back before the time that it had to be away',
  },
  events: { unit: 'events', definition: 'Events of any type' },
  revenue: {
    unit: 'minor_units',
    definition: 'Amounts that sessions report, in minor units of the currency',
  },
  problems: {
    unit: 'sessions',
    definition:
      'Sessions with a problem: one-sided, an end before the start, repeated starts or ends, two at a time in one space',
  },
} as const
export type CurbMeasure = keyof typeof curbMeasures
export const curbMeasureKeys = Object.keys(curbMeasures) as [CurbMeasure, ...CurbMeasure[]]

export const curbDimensions = [
  'hour',
  'day',
  'week',
  'month',
  'hour_of_day',
  'day_of_week',
  'zone',
  'area',
  'vehicle_type',
  'purpose',
] as const
export type CurbDimension = (typeof curbDimensions)[number]

/** A source, or `measured`: each zone's most reliable one (sensor, camera, survey). Never added up. */
export const curbSources = ['measured', ...sourceKinds] as const
export const CurbSource = z.enum(curbSources)
export type CurbSource = z.infer<typeof CurbSource>

const regionParams = z.object({ region_id: z.string() })
const curbPath = '/regions/{region_id}/curb'
const ids = z.array(CurbId).max(2000).default([])
const maxDays = 1830

/** Checks a request of a curb dashboard: ordered days, at most five years, no repeated dimension. */
export function checkCurbQuestion(
  question: {
    start_date: LocalDay
    end_date: LocalDay
    compare_start_date: LocalDay | null
    compare_end_date: LocalDay | null
    dimensions: readonly string[]
  },
  context: z.RefinementCtx,
): void {
  const { start_date, end_date, compare_start_date: compareFrom, compare_end_date: compareUntil } = question
  const { dimensions } = question
  const addIssue = (path: string, message: string): void =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (start_date > end_date) addIssue('end_date', 'The last day is before the first')
  if ((Date.parse(end_date) - Date.parse(start_date)) / dayMs >= maxDays)
    addIssue('end_date', 'A period has at most five years')
  const isIncomplete = compareFrom === null || compareUntil === null
  if (isIncomplete ? compareFrom !== compareUntil : compareFrom > compareUntil)
    addIssue('compare_end_date', 'A compared period has both days, in order')
  if (new Set(dimensions).size < dimensions.length)
    addIssue('dimensions', 'Each dimension may occur only once')
}

export const CurbMetricsQuestion = z
  .object({
    measures: z.array(z.enum(curbMeasureKeys)).min(1).max(curbMeasureKeys.length),
    dimensions: z.array(z.enum(curbDimensions)).max(2).default([]),
    start_date: LocalDay,
    end_date: LocalDay,
    compare_start_date: LocalDay.nullable().default(null),
    compare_end_date: LocalDay.nullable().default(null),
    days: z.array(Weekday).max(7).default([]),
    hour_filters: HourRange.default([...fullDay]),
    source: CurbSource.default('measured'),
    zones: ids,
    areas: ids,
    vehicle_types: z.array(z.string().max(100)).max(50).default([]),
    purposes: z.array(z.string().max(500)).max(100).default([]),
  })
  .superRefine(checkCurbQuestion)
export type CurbMetricsQuestion = z.output<typeof CurbMetricsQuestion>

/** Values in the order of the requested measures. Null: unknown. */
const Values = z.array(z.number().nullable())
const CurbPeriod = z.object({
  start_date: LocalDay,
  end_date: LocalDay,
  rows: z.array(z.object({ keys: z.array(z.string()), values: Values })),
  totals: Values,
})
export const CurbMetricsResponse = z
  .object({
    period: CurbPeriod,
    comparison: CurbPeriod.nullable(),
    /** Number of sessions and events in the period by source. */
    sources: z.array(z.object({ source: SourceKind, sessions: z.number().int(), events: z.number().int() })),
    coverage: z.object({
      /** Share of the time in which the sources of the zones were online; null: there are no sources. */
      share: z.number().nullable(),
      /** Number of zones with a source and a capacity. */
      measured_zones: z.number().int(),
      /** Number of zones in force. */
      zones: z.number().int(),
    }),
    /** Number of sessions of the period by problem; `overlap`: overlapping sessions in one space. */
    findings: z.array(z.object({ problem: z.string(), count: z.number().int() })),
    newest_event: z.iso.datetime().nullable(),
    /** Days of the period with changes that are not derived yet. */
    pending_days: z.number().int(),
  })
  .meta({ id: 'CurbMetricsResponse' })
export type CurbMetricsResponse = z.output<typeof CurbMetricsResponse>

export const queryCurbMetrics = endpoint({
  route: `POST ${curbPath}/metrics/query`,
  cost: 'heavy',
  permission: 'signed_in',
  reads: true,
  summary: 'Figures of sessions at the curb by time, zone, area, user class and purpose',
  request: { params: regionParams, body: CurbMetricsQuestion },
  response: CurbMetricsResponse,
})

const periodQuery = z
  .object({
    start_date: LocalDay,
    end_date: LocalDay,
    source: CurbSource.default('measured'),
    curb_zone_id: CurbId.optional(),
  })
  .refine(({ start_date, end_date }) => start_date <= end_date, {
    path: ['end_date'],
    message: 'The last day is before the first',
  })
/** Values of all measures. Null: unknown. */
const MeasureValues = z.record(z.enum(curbMeasureKeys), z.number().nullable())

export const getCurbMetricsByTime = endpoint({
  route: `GET ${curbPath}/metrics/by_time`,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Figures of sessions at the curb by hour, day, week, month, hour of the day or weekday',
  request: {
    params: regionParams,
    query: periodQuery.extend({
      time_grain: z.enum(['hour', 'day', 'week', 'month', 'hour_of_day', 'day_of_week']).default('day'),
    }),
  },
  response: z.object({ items: z.array(z.object({ time: z.string(), values: MeasureValues })) }),
})
/** `shape_uuid`: the shape of the zone in the layer of curb zones; null for sessions outside of all zones. */
export const getCurbMetricsByShape = endpoint({
  route: `GET ${curbPath}/metrics/by_shape`,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Figures of sessions at the curb by curb zone',
  request: { params: regionParams, query: periodQuery },
  response: z.object({
    items: z.array(
      z.object({ shape_uuid: z.uuid().nullable(), curb_zone_id: z.string(), values: MeasureValues }),
    ),
  }),
})

/** Current number of spaces of a zone by state. Spaces without a source are unknown, never free. */
export const LiveCurbZone = z.object({
  curb_zone_id: z.string(),
  capacity: z.number().int().nullable(),
  occupied: z.number().int(),
  free: z.number().int().nullable(),
  unknown: z.number().int().nullable(),
  /** Sessions that last longer than the zone allows; null where no maximum stay applies. */
  over_time: z.number().int().nullable(),
  /** Number of sources of the zone. */
  sources: z.number().int(),
  /** Number of sources that are online. */
  online: z.number().int(),
  source: SourceKind.nullable(),
})
export type LiveCurbZone = z.output<typeof LiveCurbZone>

export const LiveCurbActivity = z
  .object({
    time: z.iso.datetime(),
    zones: z.array(
      LiveCurbZone.extend({
        name: z.string(),
        street_name: z.string(),
        street_side: z.string().nullable(),
        geometry: GeometryShape,
      }),
    ),
  })
  .meta({ id: 'CurbActivity' })
export type LiveCurbActivity = z.output<typeof LiveCurbActivity>

export const getCurbActivity = endpoint({
  route: `GET ${curbPath}/activity`,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Curb zones as they are now: occupied, free and unknown spaces',
  request: { params: regionParams },
  response: LiveCurbActivity,
})

/** Server-sent events. `hello`: the stream is open. `zones`: array of LiveCurbZone, the changed zones. */
export const streamCurbActivity = endpoint({
  route: `GET ${curbPath}/activity/stream`,
  prefixes: ['/v2'],
  permission: 'signed_in',
  summary: 'Changes of curb zones as server-sent events',
  request: { params: regionParams },
  response: { media: 'text/event-stream' },
})

/** One session of a zone, without any identification of the vehicle. */
export const CurbSession = z
  .object({
    session_id: z.string(),
    start: z.iso.datetime().nullable(),
    /** Null: open, or unknown. */
    end: z.iso.datetime().nullable(),
    is_open: z.boolean(),
    space_id: z.string(),
    source: SourceKind,
    vehicle_type: z.string(),
    purpose: z.string(),
    /** Minor units of the currency. */
    amount: z.number().int().nullable(),
    double_parked: z.boolean(),
    problems: z.array(z.string()),
  })
  .meta({ id: 'CurbSession' })
export type CurbSession = z.output<typeof CurbSession>

export const listCurbZoneSessions = endpoint({
  route: `GET ${curbPath}/zones/{curb_zone_id}/sessions`,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Sessions of a curb zone on a local day',
  request: {
    params: regionParams.extend({ curb_zone_id: CurbId }),
    query: z.object({ date: LocalDay.optional() }),
  },
  response: z.object({
    date: LocalDay,
    /** Start and end of the day. */
    from: z.iso.datetime(),
    until: z.iso.datetime(),
    items: z.array(CurbSession),
  }),
})

/** A stay that was too long, or a return that was too early, with its evidence. */
export const CurbViolation = z
  .object({
    kind: z.enum(['max_stay', 'no_return']),
    session_id: z.string(),
    curb_zone_id: z.string(),
    start: z.iso.datetime(),
    /** Null: the vehicle is still there. */
    end: z.iso.datetime().nullable(),
    vehicle_type: z.string(),
    purpose: z.string(),
    source: SourceKind,
    /** Maximum stay, or minimum time away. */
    limit_minutes: z.number(),
    /** Duration of the stay, or of the time away. */
    measured_seconds: z.number().int(),
    curb_policy_id: z.string(),
    /** Index of the rule in the policy. */
    rule: z.number().int(),
    /** Previous session of a vehicle that returned. */
    previous_session_id: z.string().nullable(),
  })
  .meta({ id: 'CurbViolation' })
export type CurbViolation = z.output<typeof CurbViolation>

/** Maximum number of days per request for violations. */
const maxViolationDays = 366

export const listCurbViolations = endpoint({
  route: `GET ${curbPath}/violations`,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Stays over the maximum and returns that are too early, of sessions that start in a period',
  request: {
    params: regionParams,
    query: z
      .object({ start_date: LocalDay, end_date: LocalDay, curb_zone_id: CurbId.optional() })
      .refine(({ start_date, end_date }) => start_date <= end_date, {
        path: ['end_date'],
        message: 'The last day is before the first',
      })
      .refine(
        ({ start_date, end_date }) =>
          (Date.parse(end_date) - Date.parse(start_date)) / dayMs < maxViolationDays,
        { path: ['end_date'], message: 'A period has at most one year' },
      ),
  },
  response: z.object({
    items: z.array(CurbViolation),
    /** False if the period has more sessions than one request checks. */
    is_complete: z.boolean(),
  }),
})
