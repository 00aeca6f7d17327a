import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'
import { eventLineColumns, type Received } from './event-lines.ts'
import type { VehicleEvent } from './vehicle-event.ts'

/**
 * Of an event that came again the same, the store shows the row that came last. So that data health tells how late it really came, that
 * row is written once more with the first receipt. To be called right after a batch with repeated events is stored.
 */
export async function keepFirstReceipts(
  store: Facts,
  scope: Scope,
  { regionId, batchId }: Received,
  events: readonly VehicleEvent[],
): Promise<void> {
  const span = { regionId, batchId, from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY }
  for (const { time } of events) {
    span.from = Math.min(span.from, time)
    span.until = Math.max(span.until, time)
  }
  await store.add(scope, 'vehicle_events', eventLineColumns, firstReceipts(span), {
    limits: { seconds: 300, memory: 4 * 2 ** 30 },
  })
}

const firstReceipts = ({
  regionId,
  batchId,
  from,
  until,
}: {
  regionId: string
  batchId: string
  from: number
  until: number
}): Sql => {
  const within = sql`region_id = ${bind('String', regionId)} and event_time between fromUnixTimestamp64Milli(${bind('Int64', from)}) and fromUnixTimestamp64Milli(${bind('Int64', until)})`
  const batch = sql`${facts('vehicle_events')} where ${within} and batch_id = ${bind('UUID', batchId)}`
  return sql`
    select region_id, operator, device_id, event_time, event_id, state, event_types, trip_ids, lon, lat, accuracy, battery, turn, superseded, feed_id, batch_id, first_receipt as received_time, version
    from (
      select *, min(received_time) over (partition by operator, device_id, event_id, event_time, version) as first_receipt, first_receipt < received_time as came_before
      from ${facts('vehicle_events')}
      where ${within} and (operator, device_id) in (select operator, device_id from ${batch}) and event_id in (select event_id from ${batch})
    )
    where batch_id = ${bind('UUID', batchId)} and came_before`
}
