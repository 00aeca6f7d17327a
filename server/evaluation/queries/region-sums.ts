import { type Filters, tripFilterCondition } from '#server/fleet/trip-filter-sql.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { QueryTime } from '../query-time.ts'
import { factConditions } from './fact-sql.ts'

/** Builds SQL for the number of trips and of operators with trips. 64-bit integers are text. */
export const tripSumsSql = (filters: Filters): Sql => sql`
  select count() as trips, uniqExact(operator) as operators
  from ${latest('trips')}
  where ${tripFilterCondition(filters)}`

export interface TripSums {
  trips: string
  operators: string
}

interface ParkingSumsQuery {
  filters: Pick<Filters, 'region_id' | 'operators' | 'vehicle_type' | 'vehicle_types'>
  time: QueryTime
  /** Milliseconds. Open events last until now. */
  now: number
}

/** Builds SQL for number and total minutes of the parking events that begin in the period, by operator. */
export const parkingSumsSql = ({ filters, time, now }: ParkingSumsQuery): Sql => sql`
  select
    operator,
    count() as events,
    sum(greatest(least(toInt64(${toMilliseconds(sql`to_time`)}), ${bind('Int64', String(now))}) - toInt64(${toMilliseconds(sql`from_time`)}), 0)) / 60000 as minutes
  from ${latest('parking_events')}
  where ${factConditions(filters)}
    and from_time >= ${toDateTime(time.from)} and from_time < ${toDateTime(Math.min(time.until, now))}
  group by operator
  order by operator`

export interface ParkingSums {
  operator: string
  events: string
  minutes: number
}
