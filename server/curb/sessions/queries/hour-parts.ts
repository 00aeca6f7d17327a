import { hourMs, type LocalDay } from '#contract/period.ts'
import { bind, identifier, itemTuples, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { maxOpenMs } from '../derive-lane.ts'
import { stateMs } from './sessions.ts'

/** A source is assumed to be online for this long after its last event. */
export const silentMs = 24 * hourMs
/** A source is assumed to exist for this long after its last event. */
export const forgottenMs = 7 * 24 * hourMs

/** Successive local days and the inputs of their sums. Times are ms since 1970. */
export interface HourDays {
  regionId: string
  timezone: string
  /** The result of `hourShift` for the time zone, ms. */
  shift: number
  first: LocalDay
  last: LocalDay
  from: number
  /** The end of the last day, or now if that is earlier. */
  until: number
  now: number
  /** Numbers of spaces of zones, each from an instant on. */
  capacities: readonly { zoneId: string; from: number; capacity: number }[]
  /** The zone of each space, by space id. */
  spaces: ReadonlyMap<string, string>
  /** The kind of places with sums, by default zones. The `zoneId` of capacities is the id of such a place. */
  placeKind?: 'zone' | 'space' | 'object'
  /** When zones are open by the rules in force. Without it, places are always open. */
  open?: OpenHours
  /** Sessions over the maximum stay and early returns. */
  violations?: readonly StayCounts[]
}

/** Times at which zones are open for parking, by a number that zones with the same times share. */
export interface OpenHours {
  /** The number of the times of each zone. Zones with the same times share a number, starting at 1. */
  numberByZone: ReadonlyMap<string, number>
  /** Times in ms, ascending and without overlaps within a number. */
  times: readonly { number: number; from: number; until: number }[]
}

/** Violations of one hour, place, source and class. */
export interface StayCounts {
  hour: number
  zoneId: string
  source: string
  vehicleType: string
  purpose: string
  overstays: number
  earlyReturns: number
}

/** Values of the columns that a row to be summed does not set. */
const unsetValues = {
  sessions: sql`toUInt32(0)`,
  dwells: sql`emptyArrayUInt32()`,
  dwell: sql`0`,
  occupied: sql`0`,
  paid: sql`0`,
  double_parks: sql`0`,
  unpermitted_uses: sql`0`,
  event_count: sql`0`,
  problem_count: sql`0`,
  kinds: sql`emptyArrayString()`,
  online: sql`0`,
  watched: sql`0`,
  overstay_count: sql`toUInt32(0)`,
  return_count: sql`toUInt32(0)`,
}
const partKeys = ['number', 'zone', 'source_kind', 'vehicle_type', 'purpose'] as const
type PartColumn = (typeof partKeys)[number] | keyof typeof unsetValues

/** Builds SQL for the columns of rows to sum, with these values. Keys without a value are columns of the source. */
const partColumns = (values: Partial<Record<PartColumn, Sql>>): Sql => {
  const columns: Partial<Record<PartColumn, Sql>> = { ...unsetValues, ...values }
  return joinSql(
    [...partKeys, ...(Object.keys(unsetValues) as (keyof typeof unsetValues)[])].map((name) => {
      const value = columns[name]
      return value ? sql`${value} as ${identifier(name)}` : identifier(name)
    }),
    ', ',
  )
}

/**
 * Builds SQL for the rows to be summed: one per session, per session and hour that it occupies, per event, per
 * source and hour, and per count of violations. `number` is the number of the local hour.
 */
export const hourPartsSql = (query: HourDays): Sql => sql`
  ${sessionPartsSql(query)}
  union all
  ${occupiedPartsSql(query)}
  union all
  ${eventPartsSql(query)}
  union all
  ${sourcePartsSql(query)}
  ${query.violations?.length ? sql`union all ${violationPartsSql(query.violations)}` : sql``}`

/** Builds SQL for one row per session, in the hour of its start. */
const sessionPartsSql = (query: HourDays): Sql => {
  const hasNoDwell = sql`start_ms is null or end_ms is null or is_reversed`
  const dwellMs = sql`assumeNotNull(end_ms) - assumeNotNull(start_ms)`
  const startMs = sql`ifNull(start_ms, from_ms)`
  const problemKinds = sql`arrayMap(problem -> toString(problem), problems)`
  return sql`
  select ${partColumns({
    number: hourNumberSql(startMs, query),
    sessions: sql`toUInt32(start_ms is not null)`,
    dwells: sql`if(${hasNoDwell}, emptyArrayUInt32(), [toUInt32(intDiv(${dwellMs}, 1000))])`,
    dwell: sql`if(${hasNoDwell}, 0, ${dwellMs})`,
    paid: sql`ifNull(amount, 0)`,
    double_parks: sql`toUInt32(arrayExists(lane -> lane != 'parking', blocked_lanes))`,
    problem_count: sql`toUInt32(notEmpty(problems) or is_overlap)`,
    kinds: sql`arrayConcat(${problemKinds}, if(is_overlap, ['overlap'], emptyArrayString()))`,
  })}
  from (${clippedSessionsSql(query)})
  where ${startMs} >= ${bind('Int64', query.from)} and ${startMs} < ${bind('Int64', query.until)}`
}

/** Builds SQL for one row per session and hour that it occupies. Only times with an open zone count. */
const occupiedPartsSql = (query: HourDays): Sql => {
  const until = bind('Int64', query.until)
  const clipBegin = sql`greatest(assumeNotNull(start_ms), ifNull(busy_until, 0))`
  const clipEnd = sql`assumeNotNull(until_ms)`
  const occupiedMs = query.open
    ? sql`toInt64(arraySum(
        part -> greatest(0, least(${clipEnd}, ${until}, part.2) - greatest(${clipBegin}, part.1)),
        open_parts
      ))`
    : msInHourSql(clipBegin, clipEnd, query)
  return sql`
  select ${partColumns({ occupied: occupiedMs })}
  from (
    select *,
      ${hourNumbersSql(clipBegin, clipEnd, query)} as number,
      ${openNumberSql(query)} as open_number
    from (${clippedSessionsSql(query)})
    where until_ms is not null and ${clipEnd} > ${clipBegin} and ${clipEnd} > ${bind('Int64', query.from)}
  ) as stays
  ${joinOpenHours(sql`stays`, query)}`
}

/** Builds SQL for one row per event. */
const eventPartsSql = (query: HourDays): Sql => sql`
  select ${partColumns({
    number: hourNumberSql(toMilliseconds(sql`event_time`), query),
    zone: zoneColumn(query),
    unpermitted_uses: sql`toUInt32(event_type = 'vehicle_violation_start')`,
    event_count: sql`1`,
  })}
  from ${latest('curb_events')}
  where region_id = ${bind('String', query.regionId)}
    and event_time >= ${toDateTime(query.from)}
    and event_time < ${toDateTime(query.until)}
    and superseded = 0`

/** Builds SQL for one row per source and hour in which it is assumed to exist. */
const sourcePartsSql = (query: HourDays): Sql => {
  const begin = sql`begin_ms`
  const onlineUntil = sql`least(next_ms, begin_ms + ${bind('Int64', silentMs)})`
  const watchedUntil = sql`least(next_ms, begin_ms + ${bind('Int64', forgottenMs)})`
  return sql`
  select ${partColumns({
    vehicle_type: sql`''`,
    purpose: sql`''`,
    online: sql`if(state = 1, ${msInHourSql(begin, onlineUntil, query)}, 0)`,
    watched: msInHourSql(begin, watchedUntil, query),
  })}
  from (
    select *, ${hourNumbersSql(begin, watchedUntil, query)} as number
    from (${sourceSpansSql(query)})
    where state != 2 and ${watchedUntil} > ${bind('Int64', query.from)} and ${watchedUntil} > begin_ms
  )`
}

/** Builds SQL for the numbers of overstays and early returns by hour, place, source and class. */
const violationPartsSql = (violations: readonly StayCounts[]): Sql => sql`
  select ${partColumns({
    number: sql`row.1`,
    zone: sql`row.2`,
    source_kind: sql`row.3`,
    vehicle_type: sql`row.4`,
    purpose: sql`row.5`,
    overstay_count: sql`toUInt32(row.6)`,
    return_count: sql`toUInt32(row.7)`,
  })}
  from (
    select ${itemTuples(violations, [
      ['Int64', ({ hour }) => hour],
      ['String', ({ zoneId }) => zoneId],
      ['String', ({ source }) => source],
      ['String', ({ vehicleType }) => vehicleType],
      ['String', ({ purpose }) => purpose],
      ['Int64', ({ overstays }) => overstays],
      ['Int64', ({ earlyReturns }) => earlyReturns],
    ])} as row
  )`

/** Builds SQL for sessions within the days. `until_ms`: assumed end, null if unknown, now if open. */
const sessionsSql = (query: HourDays): Sql => sql`
  select
    ${zoneColumn(query)} as zone,
    space_id,
    source_kind,
    vehicle_type,
    purpose,
    amount,
    blocked_lanes,
    problems,
    ${toMilliseconds(sql`from_time`)} as from_ms,
    ${toMilliseconds(sql`start_time`)} as start_ms,
    ${toMilliseconds(sql`end_time`)} as end_ms,
    has(problems, 'ends_before_start') as is_reversed,
    multiIf(
      is_reversed or start_ms is null, null,
      end_ms is not null, end_ms,
      has(problems, 'no_end') or start_ms + ${bind('Int64', maxOpenMs)} < ${bind('Int64', query.now)}, null,
      ${bind('Int64', query.now)}
    ) as until_ms
  from ${latest('curb_sessions')}
  where region_id = ${bind('String', query.regionId)}
    and type = 'parking'
    and from_time >= ${toDateTime(query.from - stateMs)}
    and from_time < ${toDateTime(query.until)}`

/** Builds SQL for sessions with the last end of earlier ones in the same space, to count overlaps once. */
const clippedSessionsSql = (query: HourDays): Sql => sql`
  select *,
    if(
      space_id = '',
      null,
      max(until_ms) over (
        partition by space_id, source_kind
        order by start_ms, from_ms
        rows between unbounded preceding and 1 preceding
      )
    ) as busy_until,
    ifNull(busy_until > start_ms, 0) as is_overlap
  from (${sessionsSql(query)})`

/** Builds SQL for sensor events with the time of the next. `state`: 0 offline, 1 online, 2 removed. */
const sourceSpansSql = (query: HourDays): Sql => sql`
  select
    zone,
    source_kind,
    ms as begin_ms,
    multiIf(
      event_type = 'decommissioned' or is_commissioned = 0, 2,
      event_type = 'comms_lost' or is_online = 0, 0,
      1
    ) as state,
    leadInFrame(ms, 1, ${bind('Int64', query.until)}) over (
      partition by device_id
      order by ms, event_id
      rows between current row and unbounded following
    ) as next_ms
  from (
    select *,
      ${toMilliseconds(sql`event_time`)} as ms,
      max(${zoneColumn(query)}) over (partition by device_id) as zone
    from ${latest('curb_events')}
    where region_id = ${bind('String', query.regionId)}
      and source_kind in ('sensor', 'camera')
      and superseded = 0
      and event_time >= ${toDateTime(query.from - forgottenMs)}
      and event_time < ${toDateTime(query.until)}
  )`

/** Builds SQL for the place id of a row. Zones of rows that name only a space are those of the space. */
const zoneColumn = ({ spaces, placeKind = 'zone' }: HourDays): Sql => {
  if (placeKind !== 'zone') return placeKind === 'space' ? sql`space_id` : sql`object_id`
  if (!spaces.size) return sql`zone_id`
  const spaceIds = bind('Array(String)', [...spaces.keys()])
  const zoneIds = bind('Array(String)', [...spaces.values()])
  return sql`if(zone_id = '', transform(space_id, ${spaceIds}, ${zoneIds}, ''), zone_id)`
}

/** Builds SQL for the number of the local hour that contains a time. */
const hourNumberSql = (ms: Sql, { shift }: HourDays): Sql =>
  sql`toInt64(intDiv(${ms} + ${bind('Int64', shift)}, ${bind('Int64', hourMs)}))`

/** Builds SQL for the start of the hour with a number, ms since 1970. */
export const hourStartSql = (number: Sql, { shift }: HourDays): Sql =>
  sql`${number} * ${bind('Int64', hourMs)} - ${bind('Int64', shift)}`

/** Builds SQL for the numbers of the hours in which a time span overlaps the days, one row per hour. */
const hourNumbersSql = (begin: Sql, end: Sql, query: HourDays): Sql => {
  const from = bind('Int64', query.from)
  const until = bind('Int64', query.until)
  const first = hourNumberSql(sql`greatest(${begin}, ${from})`, query)
  const last = hourNumberSql(sql`least(${end}, ${until}) - 1`, query)
  return sql`arrayJoin(range(${first}, ${last} + 1))`
}

/** Builds SQL for how many ms of a time span are in the hour `number` and before the end of the days. */
const msInHourSql = (begin: Sql, end: Sql, query: HourDays): Sql => {
  const partEnd = sql`least(${end}, ${bind('Int64', query.until)}, ${hourStartSql(sql`(number + 1)`, query)})`
  const partBegin = sql`greatest(${begin}, ${hourStartSql(sql`number`, query)})`
  return sql`greatest(0, ${partEnd} - ${partBegin})`
}

/** Builds SQL for the number of the open times of a zone; 0 if it has none. */
export const openNumberSql = ({ open }: HourDays): Sql => {
  if (!open) return sql`toUInt32(0)`
  const zoneIds = bind('Array(String)', [...open.numberByZone.keys()])
  const numbers = bind('Array(UInt32)', [...open.numberByZone.values()])
  return sql`transform(toString(zone), ${zoneIds}, ${numbers}, toUInt32(0))`
}

/** Builds SQL that joins rows with the open times of their zone and hour. */
export const joinOpenHours = (table: Sql, query: HourDays): Sql =>
  query.open
    ? sql`left join (${openHoursSql(query, query.open)}) as open_hours
      on ${table}.open_number = open_hours.open_key and ${table}.number = open_hours.open_hour`
    : sql``

/** Builds SQL for the open times by number and hour: their parts within the hour, and the parts' sum. */
const openHoursSql = (query: HourDays, { times }: OpenHours): Sql => {
  const first = hourNumberSql(sql`open_time.2`, query)
  const last = hourNumberSql(sql`open_time.3 - 1`, query)
  return sql`
  select
    open_key,
    open_hour,
    groupArray((part_from, part_until)) as open_parts,
    sum(part_until - part_from) as open_ms
  from (
    select
      open_time.1 as open_key,
      arrayJoin(range(${first}, ${last} + 1)) as open_hour,
      greatest(open_time.2, ${hourStartSql(sql`open_hour`, query)}) as part_from,
      least(open_time.3, ${hourStartSql(sql`(open_hour + 1)`, query)}) as part_until
    from (
      select ${itemTuples(times, [
        ['UInt32', ({ number }) => number],
        ['Int64', ({ from }) => from],
        ['Int64', ({ until }) => until],
      ])} as open_time
    )
  )
  group by open_key, open_hour`
}
