import { bind, type Sql, sql, type SqlValue } from '#server/stores/sql.ts'

/** A row behind a figure. Strings are empty if there is no value. */
export interface FoundRow {
  operator: string
  feed_id: string
  /** Milliseconds since 1970. */
  time: string
  id: string
  device_id: string
  trip_id: string
  part: string
  value: number | null
  /** Values for the sentence that explains the row. */
  details: string[]
  raw: string
}

/** The columns of a row as SQL expressions; missing ones are empty. */
interface RowColumns {
  feed?: Sql
  time: Sql
  id: Sql
  device?: Sql
  trip?: Sql
  part: SqlValue | string
  value?: Sql
  details?: Sql
  raw?: Sql
}

/** Builds SQL for the columns that the rows of all figures have in common. */
export function rowColumns({ feed, time, id, device, trip, part, value, details, raw }: RowColumns): Sql {
  const emptyText = sql`''`
  return sql`
    operator as row_operator,
    toString(${feed ?? emptyText}) as row_feed,
    ${time} as row_time,
    toString(${id}) as row_id,
    toString(${device ?? emptyText}) as row_device,
    toString(${trip ?? emptyText}) as row_trip,
    ${typeof part === 'string' ? bind('String', part) : part} as row_part,
    toFloat64(${value ?? sql`nan`}) as row_value,
    ${details ?? sql`emptyArrayString()`} as row_details,
    toString(${raw ?? emptyText}) as row_raw`
}

/** Builds SQL for the columns of rows about trips of `feedTripsSql` or `differingTripsSql`. */
export const tripColumns = (part: string): Sql =>
  rowColumns({ time: sql`time`, id: sql`trip_id`, device: sql`vehicle_id`, trip: sql`trip_id`, part })
