import type { TimePeriod } from '#contract/fleet-figures.ts'
import { bitsOf, outlierFlags } from '#contract/mobility.ts'
import { type Filters, tripFilterSql } from '#server/mobility/trip-filter-sql.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

export interface TripsOfPeriod {
  start: string
  operator: string
  trips: string
  measured: string
  timed: string
  median_distance: number | null
  median_duration: number | null
}

/** Whether a trip is in medians: no outlier, and the measure is known. */
const isSane = (measure: Sql): Sql =>
  sql`isFinite(${measure}) and bitAnd(quality, ${bind('UInt16', bitsOf(outlierFlags))}) = 0`

const startOf = (period: TimePeriod, first: string): Sql => {
  const day =
    period === 'day'
      ? sql`local_date`
      : period === 'week'
        ? sql`toMonday(local_date)`
        : sql`toStartOfMonth(local_date)`
  return sql`toString(greatest(${day}, ${bind('Date', first)}))`
}

/** Trips by operator and the begin of the day, week or month of their start, with the medians of distance and duration. */
export const tripsByPeriod = (filters: Filters & { start_date: string }, period: TimePeriod): Sql => sql`
  select ${startOf(period, filters.start_date < '1970-01-01' ? '1970-01-01' : filters.start_date)} as start, operator, count() as trips,
    countIf(${isSane(sql`distance_m`)}) as measured, countIf(${isSane(sql`duration_s`)}) as timed,
    quantileExactInclusiveIf(0.5)(distance_m, ${isSane(sql`distance_m`)}) as median_distance, quantileExactInclusiveIf(0.5)(duration_s, ${isSane(sql`duration_s`)}) as median_duration
  from ${latest('trips')} where ${tripFilterSql(filters)}
  group by start, operator order by start, operator`

/** The median distance of trips, metres, and how many it rests on. */
export const medianDistance = (filters: Filters): Sql => sql`
  select count() as n, quantileExactInclusive(0.5)(distance_m) as median from ${latest('trips')} where ${tripFilterSql(filters)} and ${isSane(sql`distance_m`)}`
