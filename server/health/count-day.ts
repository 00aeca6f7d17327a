import { type LocalDay, daysBetween } from '#contract/period.ts'
import { type Sql, bind, latest, sql } from '#server/stores/sql.ts'
import { type CountContext, countTransitions } from './check-transitions.ts'
import type { DayFacts, DayKind, DayRecords, DayVehicles, TripChecks, FeedChecks } from './day-facts.ts'
import { silentCounts, type SilentRow } from './queries/silent-vehicles.ts'
import { tripEventCounts, type TripEventsRow } from './queries/trip-events.ts'
import { type Span, tripsWithin, within, spanOfDays } from './span.ts'
import { moveCounts, type MoveRow } from './queries/moves.ts'

interface LatenessRow {
  operator: string
  feed_id: string
  /** Seconds from the event to its receipt, rounded down to minutes from ten minutes on. */
  late: string
  count: string
  /** Events with a time after their receipt: the operator's clock is ahead. */
  ahead: string
}

/** Selects the number of events of the span by lateness. Rounded, so that a day has few rows. */
const latenessCounts = (span: Span): Sql => sql`
  with
    events as (
      select
        operator,
        feed_id,
        received_time < event_time as is_ahead,
        greatest(0, intDiv(dateDiff('millisecond', event_time, received_time), 1000)) as seconds
      from ${latest('vehicle_events')}
      where ${within(span, sql`event_time`)} and superseded = 0
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
  const [transitions, moves, late] = await Promise.all([
    countTransitions(context, span),
    runQuery<MoveRow>(context, moveCounts(span)),
    runQuery<LatenessRow>(context, latenessCounts(span)),
  ])
  for (const feed of transitions) Object.assign(getChecks(feed.operator, feed.feed), feed)
  for (const row of moves) {
    const checks = getChecks(row.operator, row.feed_id)
    checks.moves = Number(row.moves)
    checks.jumps = Number(row.impossible)
  }
  for (const row of late) {
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

/** Selects the number of records by operator, feed and local hour. Trips count in the hour of their start. */
function recordsByHour(span: Span, timezone: string): Sql {
  const zone = bind('String', timezone)
  return sql`
    with
      records as (
        select operator, feed_id, toTimeZone(event_time, ${zone}) as local
        from ${latest('vehicle_events')}
        where ${within(span, sql`event_time`)} and superseded = 0
        union all
        select operator, '' as feed_id, toTimeZone(start_time, ${zone}) as local
        from ${latest('trips')}
        where ${tripsWithin(span)} and source in ('report', 'both')
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
  spanOfDays(region.regionId, day, day, region.timezone)

/** Counts records of several days by hour with one query. */
async function countRecords(
  context: CountContext,
  days: readonly LocalDay[],
): Promise<Map<LocalDay, DayRecords[]>> {
  const { regionId, timezone } = context.region
  const sorted = days.toSorted()
  const recordsByDay = new Map(sorted.map((day) => [day, new Map<string, DayRecords>()] as const))
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first !== undefined && last !== undefined)
    for (const row of await runQuery<HourRow>(
      context,
      recordsByHour(spanOfDays(regionId, first, last, timezone), timezone),
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
  const rows = await runQuery<TripEventsRow>(context, tripEventCounts(span))
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
    silentCounts(regionId, Math.min(until, context.at), lostAfterHours),
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

/** Counts the facts of days, by kind. */
export const countDays: {
  [Kind in DayKind]: (
    context: CountContext,
    days: readonly LocalDay[],
  ) => Promise<Map<LocalDay, DayFacts[Kind]>>
} = {
  async records(context, days) {
    const recordsByDay = new Map<LocalDay, DayRecords[]>()
    const requested = new Set(days)
    const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)]
    const allDays = first !== undefined && last !== undefined ? daysBetween(first, last) : []
    // Split by the calendar, so that days far apart are not covered by one query over the time between them.
    for (let start = 0; start < allDays.length; start += daysPerQuery) {
      const batch = allDays.slice(start, start + daysPerQuery).filter((day) => requested.has(day))
      for (const [day, records] of await countRecords(context, batch)) recordsByDay.set(day, records)
    }
    return recordsByDay
  },
  events: (context, days) => countEachDay(days, (day) => countEvents(context, toSpan(context, day))),
  trips: (context, days) => countEachDay(days, (day) => countTrips(context, toSpan(context, day))),
  vehicles: (context, days) => countEachDay(days, (day) => countVehicles(context, day)),
}
