import { type LocalDay, daysBetween } from '#contract/period.ts'
import { type Sql, bind, latest, sql } from '#server/stores/sql.ts'
import { type CountContext, countTransitions } from './check-transitions.ts'
import type { DayFacts, DayKind, DayRecords, DayVehicles, TripChecks, FeedChecks } from './day-facts.ts'
import { silentCountsSql, type SilentRow } from './queries/silent-vehicles.ts'
import { tripEventCountsSql, type TripEventsRow } from './queries/trip-events.ts'
import { type Span, tripsWithinCondition, withinCondition, getSpanOfDays } from './span.ts'
import { moveCountsSql, type MoveRow } from './queries/moves.ts'

interface LatenessRow {
  operator: string
  feed_id: string
  /** Seconds from the event to its receipt, rounded down to minutes from ten minutes on. */
  late: string
  count: string
  /** Events with a time after their receipt: the operator's clock is ahead. */
  ahead: string
}

/** Builds SQL for the number of events of the span by lateness, which is rounded so that a day has few rows. */
const latenessCountsSql = (span: Span): Sql => sql`
  with
    events as (
      select
        operator,
        feed_id,
        received_time < event_time as is_ahead,
        greatest(0, intDiv(dateDiff('millisecond', event_time, received_time), 1000)) as seconds
      from ${latest('vehicle_events')}
      where ${withinCondition(span, sql`event_time`)} and superseded = 0
    )
  select
    operator,
    feed_id,
    toString(if(seconds < 600, seconds, intDiv(seconds, 60) * 60)) as late,
    toString(count()) as count,
    toString(countIf(is_ahead)) as ahead
  from events
  group by operator, feed_id, late`

/** Checks the events of a span, by feed. */
export async function countEvents(context: CountContext, span: Span): Promise<FeedChecks[]> {
  const feeds = new Map<string, FeedChecks>()
  const getChecks = (operator: string, feed: string): FeedChecks => {
    const key = `${operator} ${feed}`
    let checks = feeds.get(key)
    if (!checks) {
      checks = { operator, feed, judged: 0, illegal: 0, ways: [], late: [], ahead: 0, moves: 0, jumps: 0 }
      feeds.set(key, checks)
    }
    return checks
  }
  const [transitions, moves, lateness] = await Promise.all([
    countTransitions(context, span),
    runQuery<MoveRow>(context, moveCountsSql(span)),
    runQuery<LatenessRow>(context, latenessCountsSql(span)),
  ])
  for (const feed of transitions) Object.assign(getChecks(feed.operator, feed.feed), feed)
  for (const row of moves) {
    const checks = getChecks(row.operator, row.feed_id)
    checks.moves = Number(row.moves)
    checks.jumps = Number(row.impossible)
  }
  for (const row of lateness) {
    const checks = getChecks(row.operator, row.feed_id)
    checks.late.push([Number(row.late), Number(row.count)])
    checks.ahead += Number(row.ahead)
  }
  return [...feeds.values()]
}

/** The number of events of a feed, or of reported trips (feed ''), in one hour of a local day. */
interface HourRow {
  operator: string
  feed_id: string
  day: string
  hour: number
  count: string
}

/** Builds SQL for the number of records by operator, feed and local hour. Trips count in their start's hour. */
function recordsByHourSql(span: Span, timezone: string): Sql {
  const zone = bind('String', timezone)
  return sql`
    with
      records as (
        select operator, feed_id, toTimeZone(event_time, ${zone}) as local
        from ${latest('vehicle_events')}
        where ${withinCondition(span, sql`event_time`)} and superseded = 0
        union all
        select operator, '' as feed_id, toTimeZone(start_time, ${zone}) as local
        from ${latest('trips')}
        where ${tripsWithinCondition(span)} and source in ('report', 'both')
      )
    select
      operator,
      feed_id,
      toString(toDate(local)) as day,
      toHour(local) as hour,
      toString(count()) as count
    from records
    group by operator, feed_id, day, hour`
}

const runQuery = <Row>({ facts, region }: CountContext, query: Sql): Promise<Row[]> =>
  facts.rows<Row>(region.scope, query, { limits: { seconds: 120 } })

const toSpan = ({ region }: CountContext, day: LocalDay): Span =>
  getSpanOfDays(region.regionId, day, day, region.timezone)

/** Counts records of several days by hour with one query. */
async function countRecords(
  context: CountContext,
  days: readonly LocalDay[],
): Promise<Map<LocalDay, DayRecords[]>> {
  const { regionId, timezone } = context.region
  const sortedDays = days.toSorted()
  const recordsByDay = new Map(sortedDays.map((day) => [day, new Map<string, DayRecords>()] as const))
  const firstDay = sortedDays[0]
  const lastDay = sortedDays.at(-1)
  if (firstDay !== undefined && lastDay !== undefined)
    for (const row of await runQuery<HourRow>(
      context,
      recordsByHourSql(getSpanOfDays(regionId, firstDay, lastDay, timezone), timezone),
    )) {
      const recordsByFeed = recordsByDay.get(row.day)
      if (!recordsByFeed) continue
      const key = `${row.operator} ${row.feed_id}`
      let records = recordsByFeed.get(key)
      if (!records) {
        records = { operator: row.operator, feed: row.feed_id, hours: Array.from({ length: 24 }, () => 0) }
        recordsByFeed.set(key, records)
      }
      records.hours[row.hour] = Number(row.count)
    }
  return new Map([...recordsByDay].map(([day, recordsByFeed]) => [day, [...recordsByFeed.values()]]))
}

async function countTrips(context: CountContext, span: Span): Promise<TripChecks[]> {
  const rows = await runQuery<TripEventsRow>(context, tripEventCountsSql(span))
  return rows.map((row) => ({
    operator: row.operator,
    endsWithoutStart: Number(row.ends_without_start),
    compared: Number(row.compared),
    timeDiffers: Number(row.time_differs),
    placeDiffers: Number(row.place_differs),
    differs: Number(row.differs),
  }))
}

async function countVehicles(context: CountContext, day: LocalDay): Promise<DayVehicles[]> {
  const { regionId, lostAfterHours } = context.region
  const { until } = toSpan(context, day)
  const rows = await runQuery<SilentRow>(
    context,
    silentCountsSql(regionId, Math.min(until, context.at), lostAfterHours),
  )
  return rows.map(({ operator, deployed, silent, lost }) => ({
    operator,
    deployed: Number(deployed),
    silent: Number(silent),
    lost: Number(lost),
  }))
}

const countEachDay = async <Body>(
  days: readonly LocalDay[],
  count: (day: LocalDay) => Promise<Body>,
): Promise<Map<LocalDay, Body>> => {
  const bodies = new Map<LocalDay, Body>()
  for (const day of days) bodies.set(day, await count(day))
  return bodies
}

/** The number of days that one query for records covers. */
const daysPerQuery = 16

/** Counts the facts of local days, by kind. */
export const countDays: {
  [Kind in DayKind]: (
    context: CountContext,
    days: readonly LocalDay[],
  ) => Promise<Map<LocalDay, DayFacts[Kind]>>
} = {
  async records(context, days) {
    const recordsByDay = new Map<LocalDay, DayRecords[]>()
    const requestedDays = new Set(days)
    const firstDay = days.toSorted()[0]
    const lastDay = days.toSorted().at(-1)
    const allDays = firstDay !== undefined && lastDay !== undefined ? daysBetween(firstDay, lastDay) : []
    // Split by the calendar, so that days far apart are not covered by one query over the time between them.
    for (let start = 0; start < allDays.length; start += daysPerQuery) {
      const batch = allDays.slice(start, start + daysPerQuery).filter((day) => requestedDays.has(day))
      for (const [day, records] of await countRecords(context, batch)) recordsByDay.set(day, records)
    }
    return recordsByDay
  },
  events: (context, days) => countEachDay(days, (day) => countEvents(context, toSpan(context, day))),
  trips: (context, days) => countEachDay(days, (day) => countTrips(context, toSpan(context, day))),
  vehicles: (context, days) => countEachDay(days, (day) => countVehicles(context, day)),
}
