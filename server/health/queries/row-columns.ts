import { bind, type Sql, sql, type SqlValue } from '#server/stores/sql.ts'

/** One row behind a figure. Texts are empty where there is none. */
export interface FoundRow {
  operator: string
  feed_id: string
  /** Ms since 1970. */
  time: string
  id: string
  device_id: string
  trip_id: string
  part: string
  value: number | null
  /** Values for the sentence of the row. */
  details: string[]
  raw: string
}

/** The values of a row as SQL; missing ones are empty. */
export interface RowColumns {
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

/** Columns of a row in the common form. */
export const rowColumns = ({
  feed,
  time,
  id,
  device,
  trip,
  part,
  value,
  details,
  raw,
}: RowColumns): Sql => sql`
  operator as row_operator, toString(${feed ?? sql`''`}) as row_feed, ${time} as row_time, toString(${id}) as row_id, toString(${device ?? sql`''`}) as row_device, toString(${trip ?? sql`''`}) as row_trip, ${typeof part === 'string' ? bind('String', part) : part} as row_part,
  toFloat64(${value ?? sql`nan`}) as row_value, ${details ?? sql`emptyArrayString()`} as row_details, toString(${raw ?? sql`''`}) as row_raw`
