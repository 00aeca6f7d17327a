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
 * State of a feed. `ok`: none of the others. `late`: the newest record is older than promised. `failing`: the last
 * request failed. `paused`: switched off. `never`: nothing received yet.
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
    /** Age of the newest record. */
    freshness_minutes: z.number().nullable(),
    /** Age above which the feed is `late`. */
    promised_minutes: Count,
    /** What is wrong, as reported by the pull. */
    problem: z.string().nullable(),
    problem_since: MaybeTime,
    /** Incidents of the feed, and those of its operator that concern no single feed. */
    open_incidents: Count,
  })
  .meta({ id: 'FeedStanding' })
export type FeedStatus = z.infer<typeof FeedStatus>

/** One figure of data health. */
export const HealthFigure = z
  .object({
    figure: z.enum(healthFigureNames),
    /** In the unit of its definition; null if there is no data to compute it. */
    value: z.number().nullable(),
    /** Numerator of a share: records that meet the definition. Null for other figures. */
    count: z.number().nullable(),
    /** Denominator: records that were examined. */
    of: z.number().nullable(),
    /** Components of the figure by name. */
    parts: z.record(z.string(), z.number().nullable()),
  })
  .meta({ id: 'HealthFigure' })
export type HealthFigure = z.infer<typeof HealthFigure>

/**
 * State of an hour. `data`: has records. `quiet`: has none, as usual. `gap`: has none, although it usually has some.
 * `ahead`: records are not due yet. `none`: the clock skips the hour.
 */
export const hourStates = ['data', 'quiet', 'gap', 'ahead', 'none'] as const
export const HealthDay = z
  .object({
    day: LocalDay,
    /** Records by local hour, 24 numbers. */
    hours: z.array(Count),
    states: z.array(z.enum(hourStates)),
    /** Records of the day. */
    count: Count,
    /** Median of the same weekday in the last 8 weeks, over the hours that have passed; null if unknown. */
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
    /** The most frequent illegal transitions: from a state, by these event types, to a state. */
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
    /** Key of the component of the figure, as in its `parts`. */
    part: z.string(),
    /** Why the row counts, in a sentence. */
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
const healthFilters = { ...days, operator: operatorSlug.optional(), feed_id: z.uuid().optional() }
export const healthRowOrders = ['time', 'part', 'id', 'value'] as const
const rowsQuery = z.object({
  ...healthFilters,
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
  request: { params: regionParams, query: z.object(healthFilters) },
  response: z.object({
    start_date: LocalDay,
    end_date: LocalDay,
    today: LocalDay,
    timezone: z.string(),
    /** Limit of the region: hours without contact after which a vehicle is lost. */
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
