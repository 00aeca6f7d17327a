import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { FeedKind } from './feeds.ts'
import { healthFigureNames, personalFigures, plainFigures } from './health-figures.ts'
import { operatorSlug } from './operators.ts'
import { orderQuery, pageQuery, pageSchema } from './page.ts'
import { LocalDay, addDays } from './period.ts'

/** Maximum number of days per request. */
export const maxHealthDays = 31

/** Returns the last seven days. */
export const defaultHealthPeriod = (today: LocalDay): { start_date: LocalDay; end_date: LocalDay } => ({
  start_date: addDays(today, -6),
  end_date: today,
})

/**
 * State of a feed. `paused`: switched off. `never`: nothing received yet. `failing`: the last request failed.
 * `late`: the newest record is older than promised. `ok`: none of these.
 */
export const feedStates = ['ok', 'late', 'failing', 'paused', 'never'] as const
export const FeedState = z.enum(feedStates)
export type FeedState = z.infer<typeof FeedState>

const MaybeTime = z.string().nullable()
const Count = z.number().int()

/** Current state of one feed of one operator. */
export const FeedStatus = z
  .object({
    operator: z.string().nullable(),
    feed_id: z.uuid(),
    name: z.string(),
    kind: FeedKind,
    version: z.string(),
    state: FeedState,
    /** Why the feed has this state, in a sentence. */
    reason: z.string(),
    last_success: MaybeTime,
    /** Time of the newest record. */
    newest_record: MaybeTime,
    /** Minutes since then. */
    freshness_minutes: z.number().nullable(),
    promised_minutes: Count,
    /** What is wrong, as reported by the pull. */
    problem: z.string().nullable(),
    problem_since: MaybeTime,
    /** Incidents of the feed, and those of its operator that concern no single feed. */
    open_incidents: Count,
  })
  .meta({ id: 'FeedStanding' })
export type FeedStatus = z.infer<typeof FeedStatus>

/** One figure. `value` is in the unit of its definition; null if there is no data to compute it. */
export const HealthFigure = z
  .object({
    figure: z.enum(healthFigureNames),
    value: z.number().nullable(),
    /** Numerator and denominator; null if the figure is not a share. */
    count: z.number().nullable(),
    of: z.number().nullable(),
    /** Components of the figure by name. */
    parts: z.record(z.string(), z.number().nullable()),
  })
  .meta({ id: 'HealthFigure' })
export type HealthFigure = z.infer<typeof HealthFigure>

/**
 * An hour of the calendar. `none`: skipped by the clock. `ahead`: too early to judge. `gap`: no records
 * although there usually are some. `quiet`: no records, as usual.
 */
export const hourStates = ['data', 'quiet', 'gap', 'ahead', 'none'] as const
export const HealthDay = z
  .object({
    day: LocalDay,
    /** Records by local hour, 24 numbers. */
    hours: z.array(Count),
    states: z.array(z.enum(hourStates)),
    count: Count,
    /** Median of the same hours of the same weekday; null if unknown. */
    usual: z.number().nullable(),
  })
  .meta({ id: 'HealthDay' })
export type HealthDay = z.infer<typeof HealthDay>

/** All figures of one operator over the period. */
export const OperatorHealth = z
  .object({
    operator: z.string(),
    name: z.string(),
    color_hex: z.string(),
    figures: z.array(HealthFigure),
    days: z.array(HealthDay),
    /** The most frequent illegal transitions. */
    transitions: z.array(
      z.object({ from: z.string(), event_types: z.array(z.string()), to: z.string(), count: Count }),
    ),
    open_incidents: Count,
  })
  .meta({ id: 'OperatorHealth' })
export type OperatorHealth = z.infer<typeof OperatorHealth>

/** A record, vehicle, trip, hour or delivery behind a figure. */
export const HealthRow = z
  .object({
    time: MaybeTime,
    operator: z.string(),
    feed_id: z.string().nullable(),
    /** Id of the record: event, trip, hour, delivery. */
    id: z.string(),
    device_id: z.string().nullable(),
    vehicle_id: z.string().nullable(),
    trip_id: z.string().nullable(),
    /** Key of the component of the figure, as in its `parts`; `reason` is a sentence. */
    part: z.string(),
    reason: z.string(),
    /** In the unit of the figure, if it has one. */
    value: z.number().nullable(),
    /** The record as received, if it was set aside. */
    raw: z.string().nullable(),
  })
  .meta({ id: 'HealthRow' })
export type HealthRow = z.infer<typeof HealthRow>

const regionParams = z.object({ region_id: z.string() })
const days = { start_date: LocalDay.optional(), end_date: LocalDay.optional() }
const periodAndSource = { ...days, operator: operatorSlug.optional(), feed_id: z.uuid().optional() }
export const healthRowOrders = ['time', 'part', 'id', 'value'] as const
const rowsQuery = z.object({
  ...periodAndSource,
  ...orderQuery(healthRowOrders, '-time'),
  part: z.string().max(60).optional(),
  format: z.enum(['json', 'csv']).default('json'),
  ...pageQuery(50, 1000),
})
/** Maximum number of rows in one CSV file. */
export const maxHealthRows = 100_000

export const getMdsStatus = endpoint({
  route: 'GET /regions/{region_id}/mds_status',
  permission: 'signed_in',
  scope: 'mds.provider:read',
  summary: 'Current state of each feed of each operator, with the reason',
  request: { params: regionParams },
  response: z.object({ as_of: z.string(), items: z.array(FeedStatus) }),
})
export const getDataHealth = endpoint({
  route: 'GET /regions/{region_id}/data_health',
  permission: 'signed_in',
  summary:
    'Figures of data health by operator over local days, the last seven unless given; `feed_id` limits them to the data of that feed',
  request: { params: regionParams, query: z.object(periodAndSource) },
  response: z.object({
    start_date: LocalDay,
    end_date: LocalDay,
    today: LocalDay,
    timezone: z.string(),
    lost_after_hours: z.number(),
    /** When the oldest of the figures was counted. */
    as_of: z.string(),
    operators: z.array(OperatorHealth),
  }),
})
export const listHealthFigures = endpoint({
  route: 'GET /data_health/figures',
  permission: 'signed_in',
  summary: 'Definition and method of each figure of data health',
  request: {},
  response: z.object({
    items: z.array(
      z.object({
        figure: z.string(),
        name: z.string(),
        definition: z.string(),
        unit: z.string(),
        method: z.string(),
        methodVersion: Count,
      }),
    ),
  }),
})
export const listHealthRows = endpoint({
  route: 'GET /regions/{region_id}/data_health/{figure}/rows',
  cost: 'heavy',
  permission: 'signed_in',
  personal: true,
  summary:
    'The records behind a figure that shows single vehicles, the newest first unless sorted; `format=csv` returns a file',
  request: { params: regionParams.extend({ figure: z.enum(personalFigures) }), query: rowsQuery },
  response: pageSchema(HealthRow),
})
export const listHealthSpans = endpoint({
  route: 'GET /regions/{region_id}/data_health/{figure}/spans',
  cost: 'heavy',
  permission: 'signed_in',
  summary:
    'The hours, days, feeds and deliveries behind a figure, the newest first unless sorted; `format=csv` returns a file',
  request: { params: regionParams.extend({ figure: z.enum(plainFigures) }), query: rowsQuery },
  response: pageSchema(HealthRow),
})
