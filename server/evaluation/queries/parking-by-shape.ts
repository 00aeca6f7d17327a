import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { Placing } from '../ask-by-shape.ts'
import type { Posed } from '../modes/mode.ts'
import { settledAt } from '../modes/settled-at.ts'
import { askedPieces } from './asked-pieces.ts'
import { factConditions } from './fact-conditions.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import { sumsByShape } from '#server/mobility/sums-by-shape.ts'

/** Rests of more days stand in long_rests. */
const longRestDays = 7

/** Rests that reach into the asked time, as `begins` to `ends` (ms). */
function rests({ filters, time }: Posed): Sql {
  const region = bind('String', filters.region_id)
  const near = sql`${instant(time.from)} - toIntervalDay(${bind('UInt8', longRestDays)})`
  const row = sql`select operator, vehicle_type, lon, lat, ${msOf(sql`from_time`)} as begins, ${msOf(sql`to_time`)} as ends from ${latest('parking_events')} where ${factConditions(filters)}`
  return sql`
  ${row} and from_time >= ${near} and from_time < ${instant(time.until)} and to_time > ${instant(time.from)}
  union all
  ${row} and from_time < ${near} and to_time > ${instant(time.from)} and (operator, device_id, from_time) in (
    select operator, device_id, from_time from ${facts('long_rests')} where region_id = ${region} and from_time < ${near} and to_time > ${instant(time.from)}
  )`
}

/** Rests by shape: `events` that begin in the asked time, `length_ms` of those, `parked_ms` within the asked time. */
export function parkingByShape(posed: Posed, placing: Placing): Sql {
  const { time, bucket, parkedMinutes } = posed
  const settled = sql`${bind('Int64', String(settledAt(posed)))}`
  const length = sql`least(ends, ${settled}) - begins`
  const long =
    parkedMinutes > 0
      ? sql`select * from (${rests(posed)}) where ${length} >= ${bind('Int64', parkedMinutes * 60_000)}`
      : rests(posed)
  const isFirst = sql`begins = part_begins`
  const parts = sql`
  select lon, lat${bucket ? sql`, bucket` : sql``}, toUInt64(${isFirst}) as events, if(${isFirst}, greatest(0, ${length}), 0) as length_ms, greatest(0, least(part_ends, ${settled}) - part_begins) as parked_ms
  from (${askedPieces(long, time, bucket)})`
  return sumsByShape({
    facts: parts,
    keys: bucket ? ['bucket'] : [],
    sums: ['events', 'length_ms', 'parked_ms'],
    ...placing,
  })
}
