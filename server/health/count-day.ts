import type { LocalDay } from '#contract/period.ts'
import { type Sql, bind, latest, sql } from '#server/stores/sql.ts'
import { type Counting, countTransitions } from './check-transitions.ts'
import type { DayFacts, DayKind, DayRecords, DayVehicles, TripChecks, FeedChecks } from './day-facts.ts'
import { daysBetween, spanOfDays } from './local-hours.ts'
import { silentCounts, type SilentRow } from './queries/silent-vehicles.ts'
import { tripEventCounts, type TripEventsRow } from './queries/trip-events.ts'
import { type Span, tripsWithin, within } from './span.ts'
import { moveCounts, type MoveRow } from './queries/moves.ts'

interface LatenessRow {
  operator: string
  feed_id: string
  /** Seconds, to the minute from ten minutes on. */
  late: string
  count: string
  /** Events that happened after they were received, by their clock. */
  ahead: string
}

/** Events of the span by lateness. */
const latenessCounts = (span: Span): Sql => sql`
  select operator, feed_id, toString(if(seconds < 600, seconds, intDiv(seconds, 60) * 60)) as late, toString(count()) as count, toString(countIf(is_ahead)) as ahead
  from (
    select operator, feed_id, received_time < event_time as is_ahead, greatest(0, intDiv(dateDiff('millisecond', event_time, received_time), 1000)) as seconds
    from ${latest('vehicle_events')}
    where ${within(span, sql`event_time`)} and superseded = 0
  )
  group by operator, feed_id, late`

/** Checks of the events of a span, by feed. */
export async function countEvents(counting: Counting, span: Span): Promise<FeedChecks[]> {
  const run = <Row>(query: Sql): Promise<Row[]> =>
    counting.facts.rows<Row>(counting.region.scope, query, { limits: { seconds: 120 } })
  const feeds = new Map<string, FeedChecks>()
  const of = (operator: string, feed: string): FeedChecks => {
    const key = `${operator} ${feed}`
    let each = feeds.get(key)
    if (!each)
      feeds.set(
        key,
        (each = { operator, feed, judged: 0, illegal: 0, ways: [], late: [], ahead: 0, moves: 0, jumps: 0 }),
      )
    return each
  }
  const [transitions, moves, late] = await Promise.all([
    countTransitions(counting, span),
    run<MoveRow>(moveCounts(span)),
    run<LatenessRow>(latenessCounts(span)),
  ])
  for (const each of transitions) Object.assign(of(each.operator, each.feed), each)
  for (const row of moves)
    Object.assign(of(row.operator, row.feed_id), { moves: Number(row.moves), jumps: Number(row.impossible) })
  for (const row of late) {
    const each = of(row.operator, row.feed_id)
    each.late.push([Number(row.late), Number(row.count)])
    each.ahead += Number(row.ahead)
  }
  return [...feeds.values()]
}

/** Events by feed, and reported trips (feed ''), of one local hour of one local day. */
interface HourRow {
  operator: string
  feed_id: string
  day: string
  hour: number
  count: string
}

/** Records by operator, feed and local hour. Trips count at their start. */
function recordsByHour(span: Span, timezone: string): Sql {
  const zone = bind('String', timezone)
  return sql`
    select operator, feed_id, toString(toDate(local)) as day, toHour(local) as hour, toString(count()) as count
    from (
      select operator, feed_id, toTimeZone(event_time, ${zone}) as local from ${latest('vehicle_events')}
      where ${within(span, sql`event_time`)} and superseded = 0
      union all
      select operator, '' as feed_id, toTimeZone(start_time, ${zone}) as local from ${latest('trips')}
      where ${tripsWithin(span)} and source in ('report', 'both')
    )
    group by operator, feed_id, day, hour`
}

const runQuery = <Row>({ facts, region }: Counting, query: Sql): Promise<Row[]> =>
  facts.rows<Row>(region.scope, query, { limits: { seconds: 120 } })

const spanOf = ({ region }: Counting, day: LocalDay): Span =>
  spanOfDays(region.regionId, day, day, region.timezone)

/** Records of several days by hour, in one query. */
async function countRecords(
  counting: Counting,
  days: readonly LocalDay[],
): Promise<Map<LocalDay, DayRecords[]>> {
  const { regionId, timezone } = counting.region
  const sorted = days.toSorted()
  const found = new Map(sorted.map((day) => [day, new Map<string, DayRecords>()] as const))
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first !== undefined && last !== undefined)
    for (const row of await runQuery<HourRow>(
      counting,
      recordsByHour(spanOfDays(regionId, first, last, timezone), timezone),
    )) {
      const of = found.get(row.day)
      if (!of) continue
      const key = `${row.operator} ${row.feed_id}`
      let each = of.get(key)
      if (!each)
        of.set(
          key,
          (each = { operator: row.operator, feed: row.feed_id, hours: Array.from({ length: 24 }, () => 0) }),
        )
      each.hours[row.hour] = Number(row.count)
    }
  return new Map([...found].map(([day, of]) => [day, [...of.values()]]))
}

async function countTrips(counting: Counting, span: Span): Promise<TripChecks[]> {
  const rows = await runQuery<TripEventsRow>(counting, tripEventCounts(span))
  return rows.map((row) => ({
    operator: row.operator,
    endsWithoutStart: Number(row.ends_without_start),
    compared: Number(row.compared),
    timeDiffers: Number(row.time_differs),
    placeDiffers: Number(row.place_differs),
    differs: Number(row.differs),
  }))
}

async function countVehicles(counting: Counting, day: LocalDay): Promise<DayVehicles[]> {
  const { regionId, lostAfterHours } = counting.region
  const { until } = spanOf(counting, day)
  const rows = await runQuery<SilentRow>(
    counting,
    silentCounts(regionId, Math.min(until, counting.at), lostAfterHours),
  )
  return rows.map(({ operator, deployed, silent, lost }) => ({
    operator,
    deployed: Number(deployed),
    silent: Number(silent),
    lost: Number(lost),
  }))
}

const eachDay = async <Body>(
  days: readonly LocalDay[],
  count: (day: LocalDay) => Promise<Body>,
): Promise<Map<LocalDay, Body>> => {
  const found = new Map<LocalDay, Body>()
  for (const day of days) found.set(day, await count(day))
  return found
}

/** Days that one query for records covers. */
const daysPerQuery = 16

/** Counts days of one kind from the facts. */
export const countDays: {
  [Kind in DayKind]: (counting: Counting, days: readonly LocalDay[]) => Promise<Map<LocalDay, DayFacts[Kind]>>
} = {
  async records(counting, days) {
    const found = new Map<LocalDay, DayRecords[]>()
    const requested = new Set(days)
    const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)]
    const all = first !== undefined && last !== undefined ? daysBetween(first, last) : []
    for (let at = 0; at < all.length; at += daysPerQuery) {
      const batch = all.slice(at, at + daysPerQuery).filter((day) => requested.has(day))
      for (const [day, records] of await countRecords(counting, batch)) found.set(day, records)
    }
    return found
  },
  events: (counting, days) => eachDay(days, (day) => countEvents(counting, spanOf(counting, day))),
  trips: (counting, days) => eachDay(days, (day) => countTrips(counting, spanOf(counting, day))),
  vehicles: (counting, days) => eachDay(days, (day) => countVehicles(counting, day)),
}
