import { bind, type Sql, sql } from '#server/stores/sql.ts'
import type { DerivationStep } from '../fleet-derivation.ts'
import { eventTypes, spanEvents } from './span-events.ts'
import { openEndTime } from './states.ts'

export const intervalColumns = [
  'region_id',
  'operator',
  'device_id',
  'from_time',
  'event_id',
  'to_time',
  'state',
  'event_types',
  'vehicle_type',
  'trip_id',
  'lon',
  'lat',
  'accuracy',
  'battery',
  'is_deleted',
  'version',
] as const

/** State intervals of the spans: from each event to the vehicle's next one. Empty ones are left out. */
export const stateIntervals = (steps: DerivationStep): Sql => sql`
  select ${bind('String', steps.regionId)}, operator, device_id, event_time, event_id, next_time, state, ${eventTypes}, vehicle_type, trip_id, lon, lat, accuracy, battery, 0, ${bind('UInt64', steps.version)}
  from (
    select *, leadInFrame(event_time, 1, toDateTime64(${bind('String', openEndTime)}, 3, 'UTC')) over (partition by operator, device_id order by event_time, turn, UUIDToNum(event_id) rows between current row and 1 following) as next_time
    from (${spanEvents(steps)})
  )
  where next_time > event_time`
