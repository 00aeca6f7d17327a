import { bind, type Sql, sql } from '#server/stores/sql.ts'
import type { DerivationStep } from '../fleet-derivation.ts'
import { eventTypesColumn, spanEventsSql } from './span-events.ts'
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

/** Builds SQL for a step's state intervals: from each event to the vehicle's next one, if not empty. */
export const stateIntervalRows = (step: DerivationStep): Sql => sql`
  select
    ${bind('String', step.regionId)}, operator, device_id, event_time, event_id, next_time, state,
    ${eventTypesColumn}, vehicle_type, trip_id, lon, lat, accuracy, battery, 0,
    ${bind('UInt64', step.version)}
  from (
    select
      *,
      leadInFrame(event_time, 1, toDateTime64(${bind('String', openEndTime)}, 3, 'UTC')) over (
        partition by operator, device_id
        order by event_time, turn, UUIDToNum(event_id)
        rows between current row and 1 following
      ) as next_time
    from (${spanEventsSql(step)})
  )
  where next_time > event_time`
