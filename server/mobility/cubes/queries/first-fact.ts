import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'

/** The first moment that a cube could count, ms; `rows` tells whether there is any. */
export const firstFact = (regionId: string): Sql => {
  const of = sql`region_id = ${bind('String', regionId)}`
  return sql`
  select toString(toUnixTimestamp64Milli(minIf(first, rows > 0))) as first, toString(sum(rows)) as facts
  from (
    select min(start_time) as first, count() as rows from ${facts('trips')} where ${of}
    union all
    select min(end_time) as first, count() as rows from ${facts('trip_ends')} where ${of}
    union all
    select min(event_time) as first, count() as rows from ${facts('vehicle_events')} where ${of}
    union all
    select min(from_time) as first, count() as rows from ${facts('vehicle_intervals')} where ${of}
    union all
    select min(from_time) as first, count() as rows from ${facts('parking_events')} where ${of}
  )`
}
