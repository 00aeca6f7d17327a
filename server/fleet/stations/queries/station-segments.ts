import { instant, msOf } from '#server/stores/instant.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { maxPollGapMs } from '../station-history.ts'
import type { StationQuery } from '../station-query.ts'

const dayMs = 86_400_000

/** First and last moment of the windows, ms. */
export const boundsOf = ({ windows }: StationQuery): { from: number; until: number } => ({
  from: windows[0]?.from ?? 0,
  until: windows.at(-1)?.until ?? 0,
})

export const ofStations = ({ regionId, operators }: StationQuery): Sql =>
  sql`region_id = ${bind('String', regionId)}${operators.length ? sql` and operator in ${bind('Array(String)', operators)}` : sql``}`

/** The windows, cut at midnight UTC and joined by `utc_day`. */
export function windowPieces({ windows }: StationQuery): Sql {
  const pieces = windows.flatMap(({ day, from, until }) => {
    const cut: [number, number, number, number][] = []
    for (let at = from; at < until; at = (Math.floor(at / dayMs) + 1) * dayMs) {
      const utcDay = Math.floor(at / dayMs)
      cut.push([utcDay, day, at, Math.min(until, (utcDay + 1) * dayMs)])
    }
    return cut
  })
  const column = (at: 0 | 1 | 2 | 3): number[] => pieces.map((piece) => piece[at])
  return sql`
    select piece.1 as utc_day, piece.2 as day, piece.3 as window_from, piece.4 as window_until
    from (
      select arrayJoin(arrayZip(
        ${bind('Array(Int64)', column(0))},
        ${bind('Array(Int64)', column(1))},
        ${bind('Array(Int64)', column(2))},
        ${bind('Array(Int64)', column(3))}
      )) as piece
    )`
}

/** Spans of polls that reach into the windows, with the time until which their last state counts. */
export function spansOf(query: StationQuery): Sql {
  const { from, until } = boundsOf(query)
  return sql`
    select operator, feed_id, span_from, least(last_poll + ${bind('Int64', maxPollGapMs)}, next_span) as span_until
    from (
      select operator, feed_id,
        ${msOf(sql`from_time`)} as span_from,
        ${msOf(sql`until_time`)} as last_poll,
        leadInFrame(span_from, 1, ${bind('Int64', '9000000000000000')}) over (
          partition by operator, feed_id order by span_from
          rows between current row and unbounded following
        ) as next_span
      from ${latest('station_spans')}
      where ${ofStations(query)} and from_time > ${instant(from - dayMs - maxPollGapMs)} and from_time < ${instant(until)}
    )`
}

/** Leaves out stations that the feed calls virtual. */
const hasDocks = (query: StationQuery): Sql => sql`
  (operator, feed_id, station_id) not in (
    select operator, feed_id, station_id
    from ${latest('station_details')}
    where ${ofStations(query)}
    group by operator, feed_id, station_id
    having argMax(is_virtual, from_time)
  )`

/** States of stations that reach into the windows, from their poll to the next state, or to the end of their span. */
export function stateSegments(query: StationQuery): Sql {
  const { from, until } = boundsOf(query)
  return sql`
    select state.*, least(state.next_state, span.span_until) as state_until
    from (
      select operator, feed_id, station_id, is_listed, vehicles_available, docks_available, vehicles_disabled,
        is_installed, is_renting, is_returning, reported_time,
        ${msOf(sql`from_time`)} as state_from,
        leadInFrame(state_from, 1, ${bind('Int64', '9000000000000000')}) over (
          partition by operator, feed_id, station_id order by state_from
          rows between current row and unbounded following
        ) as next_state
      from ${latest('station_states')}
      where ${ofStations(query)} and ${hasDocks(query)} and from_time > ${instant(from - dayMs - maxPollGapMs)} and from_time < ${instant(until)}
    ) as state
    asof join (${spansOf(query)}) as span
      on span.operator = state.operator and span.feed_id = state.feed_id and span.span_from <= state.state_from`
}

/** What of the states lies in a window: `part_from` to `part_until`, ms, of the window of `day`. */
export const windowParts = (query: StationQuery): Sql => sql`
  select operator, feed_id, station_id, is_installed, is_renting, is_returning, vehicles_disabled, docks_available,
    is_renting and vehicles_available = 0 as is_empty,
    is_returning and ifNull(docks_available = 0, 0) as is_full,
    window.day as day,
    greatest(segment.state_from, window.window_from) as part_from,
    least(segment.state_until, window.window_until) as part_until
  from (
    select *, arrayJoin(range(toUInt64(intDiv(state_from, ${bind('Int64', dayMs)})), toUInt64(intDiv(state_until - 1, ${bind('Int64', dayMs)}) + 1))) as utc_day
    from (${stateSegments(query)})
    where is_listed and state_until > state_from
  ) as segment
  join (${windowPieces(query)}) as window on window.utc_day = toInt64(segment.utc_day)
  where part_until > part_from`
