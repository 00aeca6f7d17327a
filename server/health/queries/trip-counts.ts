import { tripTimeoutHours } from '#contract/health-figures.ts'
import { toQualityBits } from '#contract/mobility.ts'
import { hourMs } from '#contract/period.ts'
import { type Span, tripsWithinCondition } from '../span.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

export interface TripCountRow {
  operator: string
  trips: string
  both: string
  reported: string
  /** Trips from long enough ago with a report but without events. */
  without_events: string
  /** Trips from long enough ago with events but without a report. */
  without_report: string
  /** Trips from long enough ago without an end. */
  without_end: string
  without_report_or_end: string
  impossible: string
}

/** Selects trips of feeds that start in the span. `is_ripe`: at this time (ms), records are due. */
export const feedTripsSql = (span: Span, at: number): Sql => sql`
  select
    operator,
    trip_id,
    vehicle_id,
    start_time as time,
    source,
    duration_s,
    distance_m,
    start_time < ${toDateTime(at - tripTimeoutHours * hourMs)} as is_ripe,
    source = 'report' and is_ripe as lacks_events,
    source = 'events' and is_ripe as lacks_report,
    end_time is null and is_ripe as lacks_end,
    bitAnd(quality, ${bind('UInt16', toQualityBits(['impossible_speed']))}) != 0 as is_impossible
  from ${latest('trips')}
  where ${tripsWithinCondition(span)} and source != 'file'`

/** Selects the number of trips by operator, and of those with something missing. */
export const tripCountsSql = (span: Span, at: number): Sql => sql`
  select
    operator,
    toString(count()) as trips,
    toString(countIf(source = 'both')) as both,
    toString(countIf(source != 'events')) as reported,
    toString(countIf(lacks_events)) as without_events,
    toString(countIf(lacks_report)) as without_report,
    toString(countIf(lacks_end)) as without_end,
    toString(countIf(lacks_report or lacks_end)) as without_report_or_end,
    toString(countIf(is_impossible)) as impossible
  from (${feedTripsSql(span, at)})
  group by operator`
