import { randomUUID } from 'node:crypto'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'
import { eventLine, eventLineColumns } from './event-lines.ts'
import type { VehicleEvent } from './vehicle-event.ts'

interface Batch {
  regionId: string
  /** The feed that brought them. */
  feedId: string
  events: readonly VehicleEvent[]
  /** When they were received, ms. */
  received: number
}

/** Published again with another time, an event is found within this many days: further apart they are two. */
const sameEventDays = 14

/**
 * Stores events and marks the versions that they supersede. Sent again, nothing changes. Answers the run whose vehicles are to be
 * derived anew, by deriveFleet.
 */
export async function storeEvents(store: Facts, scope: Scope, { regionId, feedId, events, received }: Batch): Promise<string> {
  const runId = randomUUID()
  if (!events.length) return runId
  await store.insert(scope, 'vehicle_events', eventLineColumns, regionId, Buffer.from(events.map((event) => eventLine(event, regionId, { feedId, batchId: runId, received })).join('')))
  const times = events.map(({ time }) => time)
  const span = { from: times.reduce((a, b) => Math.min(a, b)) - sameEventDays * 86_400_000, to: times.reduce((a, b) => Math.max(a, b)) + sameEventDays * 86_400_000 }
  const asked = { regionId, batchId: runId, ...span }
  await store.add(scope, 'vehicle_events', eventLineColumns, supersededVersions(asked))
  await store.add(scope, 'fleet_dirty', ['region_id', 'run_id', 'operator', 'device_id', 'from_time'], touched(asked))
  return runId
}

interface Asked {
  regionId: string
  batchId: string
  from: number
  to: number
}

const within = ({ regionId, from, to }: Asked): Sql => sql`
  region_id = ${bind('String', regionId)} and event_time between fromUnixTimestamp64Milli(${bind('Int64', from)}) and fromUnixTimestamp64Milli(${bind('Int64', to)})`

/** Versions, also superseded ones, of the events of a batch. */
const versionsOf = (asked: Asked): Sql => sql`
  ${facts('vehicle_events')}
  where ${within(asked)}
    and (operator, device_id, event_id) in (select operator, device_id, event_id from ${facts('vehicle_events')} where ${within(asked)} and batch_id = ${bind('UUID', asked.batchId)})`

/** A mark for each time of an event that is not its winner's, as strong as the winner: it yields to a version that is published later still. */
const supersededVersions = (asked: Asked): Sql => sql`
  select region_id, operator, device_id, event_time, event_id, state, event_types, trip_ids, lon, lat, accuracy, battery, turn, 1 as superseded, feed_id, batch_id, received_time, winner as version
  from (
    select *, max(version) over (partition by operator, device_id, event_id) as winner, argMax(event_time, (version, 1 - superseded)) over (partition by operator, device_id, event_id) as winning_time
    from ${versionsOf(asked)}
  )
  where event_time != winning_time
  limit 1 by operator, device_id, event_id, event_time`

/** The vehicles of a batch and the first moment of each that it may change. */
const touched = (asked: Asked): Sql => sql`
  select region_id, ${bind('UUID', asked.batchId)}, operator, device_id, min(event_time)
  from ${versionsOf(asked)}
  group by region_id, operator, device_id`
