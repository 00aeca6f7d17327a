import type { EventType } from '#contract/vehicle-states.ts'
import { getEventTurn } from '#server/fleet/events/event-turn.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import { createEventKinds } from '../live/event-kinds.ts'
import { type HistorySource, tripEnds } from './trip-ends.ts'

/** Event types in the history. */
export const historicTypes: readonly EventType[] = [
  'trip_start',
  'trip_end',
  'rebalance_pick_up',
  'provider_drop_off',
  'maintenance_pick_up',
]
const bindKind = (kind: number) => bind('UInt32', kind)

/** Computes the battery in percent `trips` trips later on the day of a trip, like `computeBattery`. */
const battery = (number: Sql, trips: Sql): Sql =>
  sql`if(vehicle_type = 'pedal_bicycle', nan, greatest(5, 97 - (intDiv(${number}, 128) % 8192 * 7 + intDiv(${number}, 1048576) * 13) % 30 - 7 * (${number} % 128 + ${trips})))`
const [batteryBefore, batteryNow, batteryAfter] = [
  battery(sql`before_number`, sql`1`),
  battery(sql`number`, sql`0`),
  battery(sql`number`, sql`1`),
]

/** Selects the events of a trip as tuples: kind, time, state, type, position, battery, has a trip ID. */
const eventTuples = (source: HistorySource): Sql => sql`
  select vehicle_id, trip_id, number, arrayJoin(arrayConcat(
    [(${bindKind(createEventKinds.tripStart)}, start_ms, 'on_trip', 'trip_start', start_lon, start_lat, toFloat32(${batteryNow}), 1), (${bindKind(createEventKinds.tripEnd)}, end_ms, 'available', 'trip_end', end_lon, end_lat, toFloat32(${batteryAfter}), 1)],
    if(was_moved, [(${bindKind(createEventKinds.pickUp)}, pick_up, 'removed', 'rebalance_pick_up', before_lon, before_lat, toFloat32(${batteryBefore}), 0)], []),
    if(was_moved or was_away or is_first, [(${bindKind(createEventKinds.dropOff)}, drop_off, 'available', 'provider_drop_off', start_lon, start_lat, toFloat32(${batteryNow}), 0)], []),
    if(goes_away, [(${bindKind(createEventKinds.workshop)}, workshop, 'removed', 'maintenance_pick_up', end_lon, end_lat, toFloat32(${batteryAfter}), 0)], [])
  )) as event
  from (${tripEnds(source)})`

/** Event ID in a feed that has them, from the trip and kind; same as `makeDemoId`. */
const namedId = sql`toUUID(concat(leftPad(lower(hex(event.1)), 8, '0'), substring(toString(trip_id), 9)))`
/** Event ID that the MDS 1.2 adapter assigns, because the feed has none; same as `deriveUuid`. */
const digestId = sql`toUUID(concat(substring(digest, 1, 8), '-', substring(digest, 9, 4), '-5', substring(digest, 14, 3), '-', lower(hex(bitOr(bitAnd(reinterpretAsUInt8(unhex(substring(digest, 17, 2))), 63), 128))), substring(digest, 19, 2), '-', substring(digest, 21, 12)))`

/** Selects `vehicle_events` rows of an operator's stored trips. `hasIds`: its feed has event IDs. */
export const historyEvents = (source: HistorySource, hasIds: boolean): Sql => sql`
  select ${bind('String', source.regionId)}, ${bind('String', source.operator)}, toUUID(vehicle_id), time, ${hasIds ? namedId : digestId},
    event.3, [event.4], if(event.8 = 1, [trip_id], []), event.5, event.6, 5, event.7,
    transform(event.4, ${bind('Array(String)', historicTypes)}, ${bind(
      'Array(UInt8)',
      historicTypes.map((type) => getEventTurn([type])),
    )}, 0), 0, '', toUUID('00000000-0000-0000-0000-000000000000'), time, 0
  from (
    select vehicle_id, trip_id, event, fromUnixTimestamp64Milli(event.2, 'UTC') as time,
      ${hasIds ? sql`''` : sql`lower(hex(SHA1(concat(${bind('String', source.operator)}, '|', vehicle_id, '|', toString(event.2), '|', event.4))))`} as digest
    from (${eventTuples(source)})
    where event.2 < ${bind('Int64', source.seamMs)}
  )`
