import type { CurbDimension, CurbMetricsQuestion, CurbSource } from '#contract/curb-sessions.ts'
import { appendTo } from '#contract/group-by.ts'
import { hoursOfRange, isFullDay } from '#contract/period.ts'
import { bind, joinSql, latest, type ScopedTable, type Sql, sql } from '#server/stores/sql.ts'

/** Maximum number of groups in a response. */
export const maxGroups = 50_000

export type Period = Pick<CurbMetricsQuestion, 'start_date' | 'end_date'>
/** Zone ids by area id. */
export type Areas = ReadonlyMap<string, readonly string[]>

export const classDimensions: readonly CurbDimension[] = ['vehicle_type', 'purpose']
const placeDimensions: readonly CurbDimension[] = ['zone', 'area']

/** Builds SQL for the area ids of a zone, joined by newlines, because `transform` has scalar results. */
function areasOfZoneSql(areas: Areas): Sql {
  const areasByZone = new Map<string, string[]>()
  for (const [area, zoneIds] of areas) for (const zone of zoneIds) appendTo(areasByZone, zone, area)
  if (!areasByZone.size) return sql`['']`
  const zoneIds = bind('Array(String)', [...areasByZone.keys()])
  const areaLists = bind(
    'Array(String)',
    [...areasByZone.values()].map((areaIds) => areaIds.join('\n')),
  )
  return sql`splitByChar('\n', transform(toString(zone_id), ${zoneIds}, ${areaLists}, ''))`
}

/** Builds SQL for the value of a dimension. */
function dimensionSql(dimension: CurbDimension, areas: Areas): Sql {
  switch (dimension) {
    case 'hour':
      return sql`concat(toString(day), 'T', leftPad(toString(hour_of_day), 2, '0'))`
    case 'day':
      return sql`toString(day)`
    case 'week':
      return sql`toString(toMonday(day))`
    case 'month':
      return sql`toString(toStartOfMonth(day))`
    case 'hour_of_day':
      return sql`toString(hour_of_day)`
    case 'day_of_week':
      return sql`toString(toDayOfWeek(day))`
    case 'zone':
      return sql`toString(zone_id)`
    case 'area':
      return sql`arrayJoin(${areasOfZoneSql(areas)})`
    case 'vehicle_type':
      return sql`toString(vehicle_type)`
    case 'purpose':
      return sql`toString(purpose)`
  }
}

/** Builds the condition for rows of one kind of source, or of the best source at each zone (`measured`). */
export const sourceCondition = (source: CurbSource): Sql =>
  source === 'measured' ? sql`is_measured = 1` : sql`source_kind = ${bind('String', source)}`

const listConditions = (column: Sql, values: readonly string[]): Sql[] =>
  values.length ? [sql`${column} in ${bind('Array(String)', values)}`] : []

/** Builds the condition for rows of a question's period, source and zones. `zones` is null for all zones. */
export function rowCondition(
  question: CurbMetricsQuestion,
  period: Period,
  regionId: string,
  zones: readonly string[] | null,
): Sql {
  return joinSql(
    [
      sql`region_id = ${bind('String', regionId)}`,
      sql`day >= ${bind('Date', period.start_date)} and day <= ${bind('Date', period.end_date)}`,
      sourceCondition(question.source),
      ...(question.days.length ? [sql`toDayOfWeek(day) in ${bind('Array(UInt8)', question.days)}`] : []),
      ...(isFullDay(question.hour_filters)
        ? []
        : [sql`hour_of_day in ${bind('Array(UInt8)', hoursOfRange(question.hour_filters))}`]),
      ...(zones ? [sql`zone_id in ${bind('Array(String)', zones)}`] : []),
    ],
    ' and ',
  )
}

/** Builds the condition for a question's vehicle types and purposes, starting with `and`; empty for all. */
export const classCondition = ({ vehicle_types, purposes }: CurbMetricsQuestion): Sql => {
  const conditions = [
    ...listConditions(sql`vehicle_type`, vehicle_types),
    ...listConditions(sql`purpose`, purposes),
  ]
  return conditions.length ? sql`and ${joinSql(conditions, ' and ')}` : sql``
}

/** Chooses the smallest table with the necessary columns. */
export function chooseTable(
  { hour_filters }: CurbMetricsQuestion,
  dimensions: readonly CurbDimension[],
  hasZoneFilter: boolean,
): ScopedTable {
  if (!hasZoneFilter && !dimensions.some((dimension) => placeDimensions.includes(dimension)))
    return 'curb_day_hours'
  const needsHours = !isFullDay(hour_filters) || dimensions.some((dimension) => dimension.startsWith('hour'))
  return needsHours ? 'curb_hours' : 'curb_zone_days'
}

/** Builds SQL for the dimensions of a row as an array. */
export function keysSql(dimensions: readonly CurbDimension[], areas: Areas): Sql {
  const keys = dimensions.map((dimension) => dimensionSql(dimension, areas))
  return keys.length ? sql`[${joinSql(keys, ', ')}]` : sql`emptyArrayString()`
}

/** Builds SQL that groups the rows of a table by the keys of dimensions. */
export const groupByKeys = (columns: Sql, table: ScopedTable, keys: Sql, where: Sql): Sql => sql`
  select keys, ${columns}
  from (
    select *, ${keys} as keys
    from ${latest(table)}
    where ${where}
  )
  group by keys
  limit ${bind('UInt32', maxGroups + 1)}`

/** Builds SQL for the sums of sessions of a group. Quantiles are slow: 0 unless they are needed. */
export const sessionColumns = (needsQuantiles: boolean): Sql => sql`
    toString(sum(sessions)) as sessions,
    toString(sum(length(dwells))) as dwell_count,
    toString(sum(dwell_ms)) as dwell_ms,
    ${needsQuantiles ? sql`quantilesExactInclusiveArray(0.5, 0.9)(dwells)` : sql`[0, 0]`} as dwell_quantiles,
    toString(sum(double_parked)) as double_parked,
    toString(sum(unpermitted)) as unpermitted,
    toString(sum(overstays)) as overstays,
    toString(sum(early_returns)) as early_returns,
    toString(sum(events)) as events,
    toString(sum(problems)) as problems,
    toString(sum(amount)) as amount,
    toString(sum(occupied_ms)) as occupied_ms,
    toString(sum(covered_sessions)) as covered_sessions`
