import type { z } from 'zod'
import type { TripFilters } from '#contract/evaluation.ts'
import { type HourRange, isFullDay } from '#contract/period.ts'
import { bind, joinSql, type Sql, sql } from '#server/stores/sql.ts'

/** Filters of trips; without dates, all days. */
export type Filters = Omit<z.output<typeof TripFilters>, 'start_date' | 'end_date'> & {
  start_date?: string | undefined
  end_date?: string | undefined
}

/** Clamps a day to the range of ClickHouse's Date type. */
const clampDay = (day: string): string =>
  day < '1970-01-01' ? '1970-01-01' : day > '2149-06-06' ? '2149-06-06' : day

/**
 * Returns the conditions for a local hour to be within a range, which may include midnight. Empty if the
 * range is the full day.
 */
export function hourConditions(hour: Sql, hours: Readonly<HourRange>): Sql[] {
  if (isFullDay(hours)) return []
  const [first, last] = hours
  const [isAfterStart, isBeforeEnd] = [
    sql`${hour} >= ${bind('UInt8', first)}`,
    sql`${hour} <= ${bind('UInt8', last)}`,
  ]
  return first <= last
    ? [...(first > 0 ? [isAfterStart] : []), ...(last < 23 ? [isBeforeEnd] : [])]
    : [sql`(${isAfterStart} or ${isBeforeEnd})`]
}

/** Returns the conditions of filters on columns of `trips`. Days and hours are local, both ends included. */
export function tripFilterSql(filters: Filters): Sql {
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
