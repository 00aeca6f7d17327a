import type { TimePeriod } from '#contract/fleet-figures.ts'
import { toQualityBits, outlierFlags } from '#contract/mobility.ts'
import { type Filters, tripFilterCondition } from '#server/fleet/trip-filter-sql.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

/** Trips of one operator in one period. 64-bit integers are text. */
export interface TripsOfPeriod {
  /** First day of the period, or of the question if that is later. */
  start: string
  operator: string
  trips: string
  /** Number of trips in the median distance and in the median duration. */
  measured: string
  timed: string
  median_distance: number | null
  median_duration: number | null
}

/** Builds the condition that medians include a trip: the measure is known, and there is no outlier flag. */
const plausibleCondition = (measure: Sql): Sql =>
  sql`isFinite(${measure}) and bitAnd(quality, ${bind('UInt16', toQualityBits(outlierFlags))}) = 0`

/** The first value of ClickHouse's Date type. */
const firstDate = '1970-01-01'

/** SQL for the first day of the period that contains a trip, by the length of periods. */
const periodStarts: Readonly<Record<TimePeriod, Sql>> = {
  day: sql`local_date`,
  week: sql`toMonday(local_date)`,
  month: sql`toStartOfMonth(local_date)`,
}

/** Builds SQL for the first day of the period, but not earlier than the first day of the question. */
function periodStartSql(period: TimePeriod, firstDay: string): Sql {
  return sql`toString(greatest(${periodStarts[period]}, ${bind('Date', firstDay < firstDate ? firstDate : firstDay)}))`
}

/** Builds SQL that counts trips by operator and period, with median distance (m) and duration (s). */
export const tripsByPeriodSql = (filters: Filters & { start_date: string }, period: TimePeriod): Sql => sql`
  select
    ${periodStartSql(period, filters.start_date)} as start,
    operator,
    count() as trips,
    countIf(${plausibleCondition(sql`distance_m`)}) as measured,
    countIf(${plausibleCondition(sql`duration_s`)}) as timed,
    quantileExactInclusiveIf(0.5)(distance_m, ${plausibleCondition(sql`distance_m`)}) as median_distance,
    quantileExactInclusiveIf(0.5)(duration_s, ${plausibleCondition(sql`duration_s`)}) as median_duration
  from ${latest('trips')}
  where ${tripFilterCondition(filters)}
  group by start, operator
  order by start, operator`

/** Builds SQL for the median distance of trips (m), and the number of trips that it includes. */
export const medianDistanceSql = (filters: Filters): Sql => sql`
  select count() as n, quantileExactInclusive(0.5)(distance_m) as median
  from ${latest('trips')}
  where ${tripFilterCondition(filters)} and ${plausibleCondition(sql`distance_m`)}`

export interface MedianDistanceRow {
  n: string
  median: number | null
}
