import { ruleConditions } from '#server/compliance/days/rule-conditions.ts'
import type { LocalDay } from '#contract/period.ts'
import { inAreas, type StoredIndex } from '#server/geography/membership/face-sql.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { ParkingPart, TripPart } from '../charged-facts.ts'
import { type DiscountIndex, withDiscount } from './discount-place.ts'

/** Which facts are charged. `from` and `until` are in ms, half open. */
export interface FactQuestion {
  filter: Parameters<typeof ruleConditions>[0]
  from: number
  until: number
  /** First and last local day of that time, both included, in `timezone`. */
  first: LocalDay
  last: LocalDay
  timezone: string
}

const localDaySql = (time: Sql, timezone: string): Sql =>
  sql`toDate(toTimeZone(${time}, ${bind('String', timezone)}))`

const tripColumns = [
  sql`operator`,
  sql`vehicle_type`,
  sql`day`,
  sql`fact_id`,
  sql`vehicle_id`,
  sql`from_time`,
  sql`to_time`,
  sql`lon`,
  sql`lat`,
]
const parkingColumns = [
  sql`operator`,
  sql`vehicle_type`,
  sql`day`,
  sql`fact_id`,
  sql`vehicle_id`,
  sql`begins`,
  sql`ends`,
  sql`is_open`,
  sql`is_charged`,
  sql`lon`,
  sql`lat`,
]

/** Builds SQL for charged trips. A minimum keeps trips with an unknown duration or distance (NaN). */
const tripsSql = (
  { filter, from, until, first, last }: FactQuestion,
  { minimum_duration: seconds, minimum_distance: meters }: TripPart,
): Sql => sql`
  select
    operator,
    vehicle_type,
    local_date as day,
    toString(trip_id) as fact_id,
    vehicle_id,
    start_time as from_time,
    ifNull(end_time, start_time) as to_time,
    start_lon as lon,
    start_lat as lat
  from ${latest('trips')}
  where ${ruleConditions(filter, sql`toUUIDOrZero(vehicle_id)`)}
    and local_date between ${bind('Date', first)} and ${bind('Date', last)}
    and start_time >= ${toDateTime(from)}
    and start_time < ${toDateTime(Math.min(until, filter.now))}
    and not (duration_s < ${bind('Float64', seconds)})
    and not (distance_m < ${bind('Float64', meters)})`

/** Builds SQL for the trips that a part charges, with `is_discounted`. */
export const chargedTripRows = (
  question: FactQuestion,
  part: TripPart,
  discount: DiscountIndex | null,
): Sql => withDiscount(tripsSql(question, part), tripColumns, toMilliseconds(sql`from_time`), discount)

/** The spatial indexes that limit the parking events of a revision. */
export interface ParkingPlaces {
  /** Indexes of the areas that must contain the events; null for anywhere. */
  indexes: readonly StoredIndex[] | null
  discount: DiscountIndex | null
}

/** Builds SQL for parking events. Open ones are charged only by event, as their duration is not known yet. */
function parkingSql(
  { filter, from, until, timezone }: FactQuestion,
  { structure }: ParkingPart,
  indexes: ParkingPlaces['indexes'],
): Sql {
  const now = sql`${bind('Int64', String(filter.now))}`
  const isCharged = structure.by === 'event' ? sql`true` : sql`not is_open`
  const rows = sql`
  select
    operator,
    vehicle_type,
    ${localDaySql(sql`from_time`, timezone)} as day,
    toString(event_id) as fact_id,
    toString(device_id) as vehicle_id,
    ${toMilliseconds(sql`from_time`)} as begins,
    least(${toMilliseconds(sql`to_time`)}, ${now}) as ends,
    ended = 0 and ${toMilliseconds(sql`to_time`)} > ${now} as is_open,
    ${isCharged} as is_charged,
    lon,
    lat
  from ${latest('parking_events')}
  where ${ruleConditions(filter)}
    and from_time >= ${toDateTime(from)}
    and from_time < ${toDateTime(Math.min(until, filter.now))}`
  return indexes ? sql`select * from (${inAreas(rows, indexes)}) where notEmpty(areas)` : rows
}

/** Builds SQL for parking events that begin in time, with `is_charged` by prices, and `is_discounted`. */
export const parkingRows = (
  question: FactQuestion,
  part: ParkingPart,
  { indexes, discount }: ParkingPlaces,
): Sql => withDiscount(parkingSql(question, part, indexes), parkingColumns, sql`begins`, discount)
