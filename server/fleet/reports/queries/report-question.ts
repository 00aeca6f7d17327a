import type { MetricDimension } from '#contract/metrics.ts'
import { type HourRange, isFullDay } from '#contract/period.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { hourConditions } from '../../trip-filter-sql.ts'
import { unknownValue } from './report-facts.ts'

/** Selects facts of reports, and how they are grouped. */
export interface ReportQuestion {
  regionId: string
  timezone: string
  /** Local days, both included. */
  first: string
  last: string
  /** Empty: all. */
  operators: readonly string[]
  vehicleTypes: readonly string[]
  /** ISO weekdays. */
  weekdays: readonly number[]
  hours: Readonly<HourRange>
  dimensions: readonly MetricDimension[]
}

/** The key of each dimension as text, from columns of report_hours. */
const dimensionColumns: Readonly<Record<MetricDimension, Sql>> = {
  hour: sql`concat(toString(day), 'T', leftPad(toString(local_hour), 2, '0'))`,
  day: sql`toString(day)`,
  week: sql`toString(toMonday(day))`,
  month: sql`toString(toStartOfMonth(day))`,
  hour_of_day: sql`toString(local_hour)`,
  day_of_week: sql`toString(toDayOfWeek(day))`,
  operator: sql`operator`,
  vehicle_type: sql`vehicle_type`,
  propulsion_type: sql`propulsion`,
}

/** Builds SQL for the array with the keys of a group; without dimensions, it has one empty key. */
export const keysSql = (dimensions: readonly MetricDimension[]): Sql =>
  sql`[${
    dimensions.length
      ? joinSql(
          dimensions.map((dimension) => dimensionColumns[dimension]),
          ', ',
        )
      : sql`''`
  }]`

/**
 * Builds the `group by` columns of a question: `keys` and other columns. If it has dimensions, the total is
 * an additional row with empty keys.
 */
export const groupingSets = ({ dimensions }: ReportQuestion, otherColumns: readonly string[] = []): Sql => {
  const columns = (names: readonly string[]): Sql => joinSql(names.map(identifier), ', ')
  return dimensions.length
    ? sql`grouping sets ((${columns(['keys', ...otherColumns])}), (${otherColumns.length ? columns(otherColumns) : sql``}))`
    : columns(['keys', ...otherColumns])
}

/** Builds SQL for the rows of a table on the days of a question. */
export const rowsSql = (
  { regionId, first, last }: ReportQuestion,
  table: 'report_hours' | 'report_fleet_days',
  columns: readonly string[],
): Sql => sql`
  select ${joinSql(
    columns.map((name) => identifier(name)),
    ', ',
  )}
  from ${latest(table)}
  where
    region_id = ${bind('String', regionId)}
    and day >= ${bind('Date', first)}
    and day <= ${bind('Date', last)}`

/** Builds the `where` clause of a question's filters. `hour`: the local hour; null without hours. */
export const filterClause = (
  { operators, vehicleTypes, weekdays, hours }: ReportQuestion,
  hour: Sql | null,
): Sql => {
  const conditions = [
    ...(operators.length ? [sql`operator in ${bind('Array(String)', operators)}`] : []),
    ...(vehicleTypes.length ? [sql`vehicle_type in ${bind('Array(String)', vehicleTypes)}`] : []),
    ...(weekdays.length ? [sql`toDayOfWeek(day) in ${bind('Array(UInt8)', weekdays)}`] : []),
    ...(hour ? hourConditions(hour, hours) : []),
  ]
  return conditions.length ? sql`where ${joinSql(conditions, ' and ')}` : sql``
}

/**
 * Builds SQL for the rows of the selection with the column `keys`. It must be a column of a subquery, because
 * grouping sets do not accept its expression.
 */
export const withKeysSql = (question: ReportQuestion, rows: Sql, hour: Sql | null): Sql => sql`
    select ${keysSql(question.dimensions)} as keys, * from (${rows}) ${filterClause(question, hour)}`

/** The stored value of an unknown distance or duration. */
export const unknown = sql`toUInt32(${bind('UInt32', unknownValue)})`

const hourDimensions: readonly MetricDimension[] = ['hour', 'hour_of_day']

/** Returns whether a question divides days. For parts of days, only vehicles by minute are known. */
export const isHourly = ({ dimensions, hours }: Pick<ReportQuestion, 'dimensions' | 'hours'>): boolean =>
  !isFullDay(hours) || dimensions.some((dimension) => hourDimensions.includes(dimension))
