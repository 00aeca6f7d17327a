import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { Steps } from '../derivation.ts'
import { spanEvents, stepSpans } from './span-events.ts'
import { never } from './states.ts'

export const intervalColumns = ['region_id', 'operator', 'device_id', 'from_time', 'event_id', 'to_time', 'state', 'event_types', 'vehicle_type', 'trip_id', 'lon', 'lat', 'accuracy', 'battery', 'is_deleted', 'version'] as const

/** State intervals of the spans: from each event to the vehicle's next one. Those without a length are none. */
export const intervalsOf = (steps: Steps): Sql => sql`
  select ${bind('String', steps.regionId)}, operator, device_id, event_time, event_id, next_time, state, event_types, vehicle_type, trip_id, lon, lat, accuracy, battery, 0, ${bind('UInt64', steps.version)}
  from (
    select *, leadInFrame(event_time, 1, toDateTime64(${bind('String', never)}, 3, 'UTC')) over (partition by operator, device_id order by event_time, turn, toString(event_id) rows between current row and 1 following) as next_time
    from (${spanEvents(steps)})
  )
  where next_time > event_time`

/** Intervals of the spans that this derivation did not find again. */
export const withdrawnIntervals = (steps: Steps): Sql => sql`
  select ${bind('String', steps.regionId)}, row.operator, row.device_id, row.from_time, row.event_id, row.to_time, row.state, row.event_types, row.vehicle_type, row.trip_id, row.lon, row.lat, row.accuracy, row.battery, 1, ${bind('UInt64', steps.version)}
  from (
    select * from ${latest('vehicle_intervals')}
    where region_id = ${bind('String', steps.regionId)} and from_time >= fromUnixTimestamp64Milli(${bind('Int64', steps.since)}) and version < ${bind('UInt64', steps.version)}
      and (operator, device_id) in (select operator, device_id from (${stepSpans(steps)}))
  ) as row
  inner join (${stepSpans(steps)}) as span on span.operator = row.operator and span.device_id = row.device_id
  where row.from_time >= span.span_start`
