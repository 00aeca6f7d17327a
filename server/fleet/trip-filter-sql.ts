import type { z } from 'zod'
import type { TripFilters } from '#contract/evaluation.ts'
import { type HourRange, isFullDay } from '#contract/period.ts'
import { bind, joinSql, type Sql, sql } from '#server/stores/sql.ts'

/** Filters of trips; without dates, all days. */
export type Filters = Omit<z.output<typeof TripFilters>, 'start_date' | 'end_date'> & {
  start_date?: string | undefined
  end_date?: string | undefined
}

/** The range of ClickHouse's Date type. */
const minDate = '1970-01-01'
const maxDate = '2149-06-06'
/** Clamps a day (`YYYY-MM-DD`) to the range of dates. */
function clampDay(day: string): string {
  if (day < minDate) return minDate
  return day > maxDate ? maxDate : day
}

/** Builds conditions for a local hour within a range, which may include midnight. Empty for the full day. */
export function hourConditions(hour: Sql, hours: Readonly<HourRange>): Sql[] {
  if (isFullDay(hours)) return []
  const [firstHour, lastHour] = hours
  const isAfterStart = sql`${hour} >= ${bind('UInt8', firstHour)}`
  const isBeforeEnd = sql`${hour} <= ${bind('UInt8', lastHour)}`
  return firstHour <= lastHour
    ? [...(firstHour > 0 ? [isAfterStart] : []), ...(lastHour < 23 ? [isBeforeEnd] : [])]
    : [sql`(${isAfterStart} or ${isBeforeEnd})`]
}

/** Builds the condition of filters on columns of `trips`. Days and hours are local, both ends included. */
export function tripFilterCondition(filters: Filters): Sql {
  const conditions = [sql`region_id = ${bind('String', filters.region_id)}`]
  if (filters.start_date) conditions.push(sql`local_date >= ${bind('Date', clampDay(filters.start_date))}`)
  if (filters.end_date) conditions.push(sql`local_date <= ${bind('Date', clampDay(filters.end_date))}`)
  if (filters.operators.length) conditions.push(sql`operator in ${bind('Array(String)', filters.operators)}`)
  if (filters.vehicle_type) conditions.push(sql`vehicle_type = ${bind('String', filters.vehicle_type)}`)
  else if (filters.vehicle_types?.length)
    conditions.push(sql`vehicle_type in ${bind('Array(String)', filters.vehicle_types)}`)
  if (filters.days.length)
    conditions.push(sql`toDayOfWeek(local_date) in ${bind('Array(UInt8)', filters.days)}`)
  return joinSql([...conditions, ...hourConditions(sql`local_hour`, filters.hour_filters)], ' and ')
}
