import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'
import type { TripSpan } from '../../fleet/derive-trips.ts'
import { onDaysOf, touchedTrips } from '../../fleet/queries/trips.ts'
import { hourMs } from '../cube-clock.ts'
import type { Touching } from './touched-vehicle-hours.ts'

/** Numbers of the hours in which touched trips start or end, or did so before: rows that were taken back still tell. */
export const touchedTripHours = ({ regionId, runIds, shift }: Touching, reach: TripSpan): Sql => sql`
  select distinct toUInt32(intDiv(moment + ${bind('Int64', shift)}, ${bind('Int64', hourMs)})) as hour_number
  from (
    select toUnixTimestamp64Milli(start_time) as moment from ${facts('trips')}
    where ${onDaysOf({ regionId, ...reach })} and (operator, trip_id) in (${touchedTrips(regionId, runIds)})
    union all
    select toUnixTimestamp64Milli(end_time) as moment from ${facts('trip_ends')}
    where region_id = ${bind('String', regionId)} and (is_odd = 1 or end_time >= fromUnixTimestamp64Milli(${bind('Int64', reach.from)})) and (operator, trip_id) in (${touchedTrips(regionId, runIds)})
  )
  where moment >= 0`

/** Numbers of the hours in which trips of an import start or end. */
export const importedTripHours = (importId: string, shift: number): Sql => sql`
  select distinct toUInt32(intDiv(arrayJoin([toUnixTimestamp64Milli(start_time), ifNull(toUnixTimestamp64Milli(end_time), toUnixTimestamp64Milli(start_time))]) + ${bind('Int64', shift)}, ${bind('Int64', hourMs)})) as hour_number
  from ${facts('trips')}
  where import_id = ${bind('UUID', importId)}`
