import { isFullDay } from '#contract/period.ts'
import type { TimeBucket } from '#contract/spatial.ts'
import { hourConditions } from '#server/mobility/trip-filter-sql.ts'
import { bind, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import type { QueryTime } from '../query-time.ts'

const days = (time: QueryTime): Sql => bound('Array(UInt8)', [...time.days])
const bound = (type: string, value: unknown): Sql => sql`${bind(type, value)}`

/** Conditions on a local time: its weekday and its hour. */
function localConditions(time: QueryTime, local: Sql): Sql[] {
  return [
    ...(time.days.length ? [sql`toDayOfWeek(${local}) in ${days(time)}`] : []),
    ...hourConditions(sql`toHour(${local})`, time.hours),
  ]
}

const bucketOf = (bucket: TimeBucket, local: Sql): Sql =>
  bucket === 'day' ? sql`toString(toDate(${local})) as bucket` : sql`toString(toHour(${local})) as bucket`

/** Rows with a moment `at` (ms): those in the asked time, with their `bucket`. */
export function selectMoments(rows: Sql, time: QueryTime, bucket: TimeBucket | null): Sql {
  const within = sql`select * from (${rows}) where at >= ${bind('Int64', String(time.from))} and at < ${bind('Int64', String(time.until))}`
  if (!bucket && time.isUnfiltered) return within
  const conditions = localConditions(time, sql`local`)
  // Behind bitXor the engine does not see that a condition is on the table's own time: it would leave out whole parts of the table by weekday
  // and hour, and gets that wrong (seen with 26.7: all of a week was gone).
  return sql`
  select *${bucket ? sql`, ${bucketOf(bucket, sql`local`)}` : sql``}
  from (select *, toTimeZone(toDateTime(intDiv(bitXor(at, 0), 1000), 'UTC'), ${bind('String', time.timezone)}) as local from (${within}))
  ${where(conditions)}`
}

/** What a row's time is cut to: the asked days from the first midnight to the last. */
function clipToQueryTime(rows: Sql, time: QueryTime): Sql {
  const [from, until] = [bound('Int64', String(time.from)), bound('Int64', String(time.until))]
  return sql`select *, greatest(begins, ${from}) as in_begins, least(ends, ${until}) as in_ends from (${rows}) where begins < ${until} and ends > ${from} and ends > begins`
}

const where = (conditions: readonly Sql[]): Sql =>
  conditions.length ? sql`where ${joinSql(conditions, ' and ')}` : sql``

/** Such rows as splitByTime has, cut at every hour of the clock, the hour's begin beside them as `local`. */
export function splitByHour(rows: Sql, time: QueryTime, bucket: TimeBucket | null): Sql {
  const { length, shift } = time.slices
  const [long, off] = [bound('Int64', length), bound('Int64', shift)]
  return sql`
  select *, greatest(in_begins, piece * ${long} - ${off}) as part_begins, least(in_ends, (piece + 1) * ${long} - ${off}) as part_ends${bucket ? sql`, ${bucketOf(bucket, sql`local`)}` : sql``}
  from (
    select *, toTimeZone(toDateTime(intDiv(piece * ${long} - ${off}, 1000), 'UTC'), ${bind('String', time.timezone)}) as local
    from (select *, toInt64(arrayJoin(range(toUInt32(intDiv(in_begins + ${off}, ${long})), toUInt32(intDiv(in_ends - 1 + ${off}, ${long})) + 1))) as piece from (${clipToQueryTime(rows, time)}))
  )
  ${where(localConditions(time, sql`local`))}`
}

/** The same, cut at every midnight: far fewer pieces, where no hours are left out. */
function splitByDay(rows: Sql, time: QueryTime, bucket: 'day' | null): Sql {
  const zone = bind('String', time.timezone)
  const dayOf = (ms: Sql): Sql =>
    sql`toUInt16(toDate(toTimeZone(toDateTime(intDiv(${ms}, 1000), 'UTC'), ${zone})))`
  const midnight = (day: Sql): Sql =>
    sql`toInt64(toUnixTimestamp(toDateTime(toDate(${day}), ${zone}))) * 1000`
  return sql`
  select *, greatest(in_begins, ${midnight(sql`piece`)}) as part_begins, least(in_ends, ${midnight(sql`piece + 1`)}) as part_ends${bucket ? sql`, toString(toDate(piece)) as bucket` : sql``}
  from (select *, toUInt16(arrayJoin(range(${dayOf(sql`in_begins`)}, ${dayOf(sql`in_ends - 1`)} + 1))) as piece from (${clipToQueryTime(rows, time)}))
  ${where(time.days.length ? [sql`toDayOfWeek(toDate(piece)) in ${days(time)}`] : [])}`
}

/**
 * Rows with a time from `begins` to `ends` (ms), cut to the asked time: `part_begins` to `part_ends`, with their `bucket`. One that lies in
 * several pieces of it comes several times.
 */
export function splitByTime(rows: Sql, time: QueryTime, bucket: TimeBucket | null): Sql {
  if (!bucket && time.isUnfiltered)
    return sql`select *, in_begins as part_begins, in_ends as part_ends from (${clipToQueryTime(rows, time)})`
  return isFullDay(time.hours) && bucket !== 'hour_of_day'
    ? splitByDay(rows, time, bucket)
    : splitByHour(rows, time, bucket)
}
