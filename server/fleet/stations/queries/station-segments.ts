import { dayMs } from '#contract/period.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { maxPollGapMs } from '../station-history.ts'
import type { StationQuery } from '../station-query.ts'

/** The start of the next row if there is none: later than any time, in ms. */
const noNextRowMs = '9000000000000000'

/** Returns the start of the first window and end of the last one, ms. */
export const getBounds = ({ windows }: StationQuery): { from: number; until: number } => ({
  from: windows[0]?.from ?? 0,
  until: windows.at(-1)?.until ?? 0,
})

/** Builds the condition for rows of the requested region and operators. */
export const requestedCondition = ({ regionId, operators }: StationQuery): Sql => {
  const operatorFilter = operators.length ? sql`and operator in ${bind('Array(String)', operators)}` : sql``
  return sql`region_id = ${bind('String', regionId)} ${operatorFilter}`
}

/** Builds SQL for the windows, split at midnight UTC, so that facts can be joined by `utc_day`. */
export function windowsSql({ windows }: StationQuery): Sql {
  const parts = windows.flatMap(({ day, from, until }) => {
    const dayParts: Record<'utcDay' | 'day' | 'from' | 'until', number>[] = []
    for (let start = from; start < until; start = (Math.floor(start / dayMs) + 1) * dayMs) {
      const utcDay = Math.floor(start / dayMs)
      dayParts.push({ utcDay, day, from: start, until: Math.min(until, (utcDay + 1) * dayMs) })
    }
    return dayParts
  })
  const column = (name: 'utcDay' | 'day' | 'from' | 'until') =>
    bind(
      'Array(Int64)',
      parts.map((part) => part[name]),
    )
  return sql`
    select part.1 as utc_day, part.2 as day, part.3 as window_from, part.4 as window_until
    from (
      select arrayJoin(arrayZip(
        ${column('utcDay')},
        ${column('day')},
        ${column('from')},
        ${column('until')}
      )) as part
    )`
}

/** Builds SQL for spans of polls in the windows, each until the last polled state is no longer known. */
function spansSql(query: StationQuery): Sql {
  const { from, until } = getBounds(query)
  return sql`
    select
      operator, feed_id, span_from,
      least(last_poll + ${bind('Int64', maxPollGapMs)}, next_span) as span_until
    from (
      select
        operator, feed_id,
        ${toMilliseconds(sql`from_time`)} as span_from,
        ${toMilliseconds(sql`until_time`)} as last_poll,
        leadInFrame(span_from, 1, ${bind('Int64', noNextRowMs)}) over (
          partition by operator, feed_id
          order by span_from
          rows between current row and unbounded following
        ) as next_span
      from ${latest('station_spans')}
      where
        ${requestedCondition(query)}
        and from_time > ${toDateTime(from - dayMs - maxPollGapMs)}
        and from_time < ${toDateTime(until)}
    )`
}

/** Builds the condition that excludes virtual stations. */
const hasDocksCondition = (query: StationQuery): Sql => sql`
  (operator, feed_id, station_id) not in (
    select operator, feed_id, station_id
    from ${latest('station_details')}
    where ${requestedCondition(query)}
    group by operator, feed_id, station_id
    having argMax(is_virtual, from_time)
  )`

/** Builds SQL for station states in the windows, each until the next state or the end of its span. */
export function stateSegmentsSql(query: StationQuery): Sql {
  const { from, until } = getBounds(query)
  return sql`
    select state.*, least(state.next_state, span.span_until) as state_until
    from (
      select
        operator, feed_id, station_id, is_listed, vehicles_available, docks_available, vehicles_disabled,
        is_installed, is_renting, is_returning, reported_time,
        ${toMilliseconds(sql`from_time`)} as state_from,
        leadInFrame(state_from, 1, ${bind('Int64', noNextRowMs)}) over (
          partition by operator, feed_id, station_id
          order by state_from
          rows between current row and unbounded following
        ) as next_state
      from ${latest('station_states')}
      where
        ${requestedCondition(query)}
        and ${hasDocksCondition(query)}
        and from_time > ${toDateTime(from - dayMs - maxPollGapMs)}
        and from_time < ${toDateTime(until)}
    ) as state
    asof join (${spansSql(query)}) as span
      on span.operator = state.operator
      and span.feed_id = state.feed_id
      and span.span_from <= state.state_from`
}

/** Builds SQL for the parts of states within a window, `part_from` to `part_until` (ms), with its `day`. */
export const windowPartsSql = (query: StationQuery): Sql => sql`
  select
    operator, feed_id, station_id, is_installed, is_renting, is_returning, vehicles_disabled,
    docks_available,
    is_renting and vehicles_available = 0 as is_empty,
    is_returning and ifNull(docks_available = 0, 0) as is_full,
    window.day as day,
    greatest(segment.state_from, window.window_from) as part_from,
    least(segment.state_until, window.window_until) as part_until
  from (
    select
      *,
      arrayJoin(
        range(
          toUInt64(intDiv(state_from, ${bind('Int64', dayMs)})),
          toUInt64(intDiv(state_until - 1, ${bind('Int64', dayMs)}) + 1)
        )
      ) as utc_day
    from (${stateSegmentsSql(query)})
    where is_listed and state_until > state_from
  ) as segment
  join (${windowsSql(query)}) as window on window.utc_day = toInt64(segment.utc_day)
  where part_until > part_from`
