import { isFullDay } from '#contract/period.ts'
import type { TimeBucket } from '#contract/spatial.ts'
import { hourConditions } from '#server/fleet/trip-filter-sql.ts'
import { bind, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import type { QueryTime } from '../query-time.ts'

/** Returns a bound value as SQL. */
const bindSql = (type: string, value: unknown): Sql => sql`${bind(type, value)}`
const weekdaysSql = (time: QueryTime): Sql => bindSql('Array(UInt8)', [...time.days])

/** Returns conditions on a local time: its weekday and its hour. */
function localConditions(time: QueryTime, local: Sql): Sql[] {
  return [
    ...(time.days.length ? [sql`toDayOfWeek(${local}) in ${weekdaysSql(time)}`] : []),
    ...hourConditions(sql`toHour(${local})`, time.hours),
  ]
}

/** Builds the SQL of the local time of an instant (ms). */
const localTimeSql = (ms: Sql, { timezone }: QueryTime): Sql =>
  sql`toTimeZone(toDateTime(intDiv(${ms}, 1000), 'UTC'), ${bind('String', timezone)})`

const bucketColumn = (bucket: TimeBucket, local: Sql): Sql =>
  bucket === 'day' ? sql`toString(toDate(${local})) as bucket` : sql`toString(toHour(${local})) as bucket`

/** Selects rows with an instant `at` (ms) within the time of a question, with their `bucket`. */
export function selectMoments(rows: Sql, time: QueryTime, bucket: TimeBucket | null): Sql {
  const inQueryTime = sql`
  select *
  from (${rows})
  where at >= ${bind('Int64', String(time.from))} and at < ${bind('Int64', String(time.until))}`
  if (!bucket && time.isUnfiltered) return inQueryTime
  const conditions = localConditions(time, sql`local`)
  // bitXor hides from ClickHouse that the condition is on the table's time column. Otherwise it would prune
  // parts of the table by weekday and hour, and wrongly (version 26.7 omitted a week of rows).
  return sql`
  with
    moments as (
      select *, ${localTimeSql(sql`bitXor(at, 0)`, time)} as local
      from (${inQueryTime})
    )
  select *${bucket ? sql`, ${bucketColumn(bucket, sql`local`)}` : sql``}
  from moments
  ${where(conditions)}`
}

const where = (conditions: readonly Sql[]): Sql =>
  conditions.length ? sql`where ${joinSql(conditions, ' and ')}` : sql``

/** Adds `clipped_begins` and `clipped_ends`, the part of each interval within the period of a question. */
function clipToQueryTime(rows: Sql, time: QueryTime): Sql {
  const from = bindSql('Int64', String(time.from))
  const until = bindSql('Int64', String(time.until))
  return sql`
  select *, greatest(begins, ${from}) as clipped_begins, least(ends, ${until}) as clipped_ends
  from (${rows})
  where begins < ${until} and ends > ${from} and ends > begins`
}

/**
 * Splits rows at every clock slice: an hour, or half an hour in zones that shift their clock by half an hour.
 * Adds `part_begins` and `part_ends` (ms), and `local`, the local time at the start of the slice.
 */
export function splitByHour(rows: Sql, time: QueryTime, bucket: TimeBucket | null): Sql {
  const sliceMs = bindSql('Int64', time.slices.lengthMs)
  const shiftMs = bindSql('Int64', time.slices.shiftMs)
  const toSlice = (ms: Sql): Sql => sql`toUInt32(intDiv(${ms} + ${shiftMs}, ${sliceMs}))`
  return sql`
  with
    -- one row per slice that an interval overlaps: slice n begins at n * length - shift
    by_slice as (
      select *, toInt64(arrayJoin(range(${toSlice(sql`clipped_begins`)}, ${toSlice(sql`clipped_ends - 1`)} + 1))) as slice
      from (${clipToQueryTime(rows, time)})
    ),
    with_local_time as (
      select *, ${localTimeSql(sql`slice * ${sliceMs} - ${shiftMs}`, time)} as local
      from by_slice
    )
  select
    *,
    greatest(clipped_begins, slice * ${sliceMs} - ${shiftMs}) as part_begins,
    least(clipped_ends, (slice + 1) * ${sliceMs} - ${shiftMs}) as part_ends${bucket ? sql`, ${bucketColumn(bucket, sql`local`)}` : sql``}
  from with_local_time
  ${where(localConditions(time, sql`local`))}`
}

/** Splits rows at local midnight, into far fewer parts than by hour. Only for questions about all hours. */
function splitByDay(rows: Sql, time: QueryTime, bucket: 'day' | null): Sql {
  const zone = bind('String', time.timezone)
  const toDay = (ms: Sql): Sql => sql`toUInt16(toDate(${localTimeSql(ms, time)}))`
  const midnight = (day: Sql): Sql =>
    sql`toInt64(toUnixTimestamp(toDateTime(toDate(${day}), ${zone}))) * 1000`
  return sql`
  with
    -- once per local day that a row overlaps
    by_day as (
      select *, toUInt16(arrayJoin(range(${toDay(sql`clipped_begins`)}, ${toDay(sql`clipped_ends - 1`)} + 1))) as day_number
      from (${clipToQueryTime(rows, time)})
    )
  select
    *,
    greatest(clipped_begins, ${midnight(sql`day_number`)}) as part_begins,
    least(clipped_ends, ${midnight(sql`day_number + 1`)}) as part_ends${bucket ? sql`, toString(toDate(day_number)) as bucket` : sql``}
  from by_day
  ${where(time.days.length ? [sql`toDayOfWeek(toDate(day_number)) in ${weekdaysSql(time)}`] : [])}`
}

/**
 * Splits rows with an interval from `begins` to `ends` (ms) into the parts within the time of a question,
 * `part_begins` to `part_ends`, with their `bucket`. A row that spans several buckets becomes several parts.
 */
export function splitByTime(rows: Sql, time: QueryTime, bucket: TimeBucket | null): Sql {
  if (!bucket && time.isUnfiltered)
    return sql`select *, clipped_begins as part_begins, clipped_ends as part_ends from (${clipToQueryTime(rows, time)})`
  return isFullDay(time.hours) && bucket !== 'hour_of_day'
    ? splitByDay(rows, time, bucket)
    : splitByHour(rows, time, bucket)
}
