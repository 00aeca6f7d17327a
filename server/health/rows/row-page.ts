import { bind, type Sql, sql } from '#server/stores/sql.ts'

/** Filters of rows; undefined means all. */
interface RowFilters {
  operator?: string | undefined
  feed_id?: string | undefined
  part?: string | undefined
}

const matchingCondition = ({ operator, feed_id: feed, part }: RowFilters): Sql => {
  const equals = (column: Sql, value: string | undefined): Sql =>
    value === undefined ? sql`` : sql`and ${column} = ${bind('String', value)}`
  return sql`where 1
    ${equals(sql`row_operator`, operator)}
    ${equals(sql`row_feed`, feed)}
    ${equals(sql`row_part`, part)}`
}

const orderColumns = {
  time: sql`row_time`,
  part: sql`row_part`,
  id: sql`row_id`,
  value: sql`if(isFinite(row_value), row_value, null)`,
} as const
/** The column by which rows are sorted; descending with a minus sign. */
export type RowOrder = keyof typeof orderColumns | `-${keyof typeof orderColumns}`

/** All columns, so that rows with the same value have the same order on every page. */
const tieBreakColumns = sql`
  row_time desc, row_id, row_part, row_operator, row_feed, row_device, row_trip, row_value, row_details, row_raw`

interface PageQuery {
  filters: RowFilters
  order: RowOrder
  offset: number
  size: number
}

/** Builds SQL for a page of rows (`rowColumns`), each with the total number of rows. */
export function rowPageSql(rows: Sql, { filters, order, offset, size }: PageQuery): Sql {
  const column = orderColumns[order.replace('-', '') as keyof typeof orderColumns]
  const direction = order.startsWith('-') ? sql`desc` : sql`asc`
  return sql`
  select
    row_operator as operator,
    row_feed as feed_id,
    toString(toUnixTimestamp64Milli(row_time)) as time,
    row_id as id,
    row_device as device_id,
    row_trip as trip_id,
    row_part as part,
    if(isFinite(row_value), row_value, null) as value,
    row_details as details,
    row_raw as raw,
    toString(count() over ()) as total
  from (${rows}) ${matchingCondition(filters)}
  order by ${column} ${direction} nulls last, ${tieBreakColumns}
  limit ${bind('UInt32', size)} offset ${bind('UInt64', offset)}`
}

export const rowCountSql = (rows: Sql, filters: RowFilters): Sql =>
  sql`select toString(count()) as total from (${rows}) ${matchingCondition(filters)}`
