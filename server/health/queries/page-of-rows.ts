import { bind, type Sql, sql } from '#server/stores/sql.ts'

export interface Narrowed {
  operator?: string | undefined
  feed_id?: string | undefined
  part?: string | undefined
}

const narrow = ({ operator, feed_id: feed, part }: Narrowed): Sql => {
  const some = <T>(value: T | undefined, condition: (given: T) => Sql): Sql =>
    value === undefined ? sql`` : sql` and ${condition(value)}`
  return sql`where 1${some(operator, (of) => sql`row_operator = ${bind('String', of)}`)}${some(feed, (of) => sql`row_feed = ${bind('String', of)}`)}${some(part, (of) => sql`row_part = ${bind('String', of)}`)}`
}

const orders = {
  time: sql`row_time`,
  part: sql`row_part`,
  id: sql`row_id`,
  value: sql`if(isFinite(row_value), row_value, null)`,
} as const
export type RowOrder = keyof typeof orders | `-${keyof typeof orders}`

/** All columns, so that rows of the same value are in one order on every page. */
const tieBreak = sql`
  row_time desc, row_id, row_part, row_operator, row_feed, row_device, row_trip, row_value, row_details, row_raw`

/** One page of rows of one form, each with how many rows there are. */
export const pageOfRows = (
  rows: Sql,
  narrowed: Narrowed,
  order: RowOrder,
  offset: number,
  size: number,
): Sql => sql`
  select row_operator as operator, row_feed as feed_id, toString(toUnixTimestamp64Milli(row_time)) as time, row_id as id, row_device as device_id, row_trip as trip_id, row_part as part, if(isFinite(row_value), row_value, null) as value, row_details as details, row_raw as raw, toString(count() over ()) as total
  from (${rows}) ${narrow(narrowed)}
  order by ${orders[order.replace('-', '') as keyof typeof orders]} ${order.startsWith('-') ? sql`desc` : sql`asc`} nulls last, ${tieBreak}
  limit ${bind('UInt32', size)} offset ${bind('UInt64', offset)}`

export const countOfRows = (rows: Sql, narrowed: Narrowed): Sql =>
  sql`select toString(count()) as total from (${rows}) ${narrow(narrowed)}`
