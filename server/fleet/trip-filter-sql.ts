import type { z } from 'zod'
import type { TripFilters } from '#contract/evaluation.ts'
import { type HourRange, isFullDay } from '#contract/period.ts'
import { bind, joinSql, type Sql, sql } from '#server/stores/sql.ts'

export type Filters = Omit<z.output<typeof TripFilters>, 'start_date' | 'end_date'> & {
  start_date?: string | undefined
  end_date?: string | undefined
}

/** Days that the store's dates can hold; longer periods are cut to them. */
const clampDay = (day: string): string =>
  day < '1970-01-01' ? '1970-01-01' : day > '2149-06-06' ? '2149-06-06' : day

/** What an hour of the local day must meet to be in a range; nothing for the whole day. */
export function hourConditions(hour: Sql, hours: Readonly<HourRange>): Sql[] {
  if (isFullDay(hours)) return []
  const [first, last] = hours
  const [from, to] = [sql`${hour} >= ${bind('UInt8', first)}`, sql`${hour} <= ${bind('UInt8', last)}`]
  return first <= last
    ? [...(first > 0 ? [from] : []), ...(last < 23 ? [to] : [])]
    : [sql`(${from} or ${to})`]
}

/** The conditions of a question's filters, over the columns of `trips`. Local days and hours, both ends included. */
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
