import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { instant } from '#server/stores/instant.ts'
import { bind, facts, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import { eventLineColumns, eventLines, type BatchOrigin } from './event-lines.ts'
import { type EventSearches, maxSearchedEvents } from './event-searches.ts'
import type { DirtyMarks } from './dirty-marks.ts'
import type { VehicleEvent } from './vehicle-event.ts'

/** An event published again with another time is found within this many days: farther apart they are two. */
const sameEventDays = 14

/** While the engine inserts this many events, the lines of the next ones are built. */
const chunkSize = 50_000

/** An event of a batch that is stored more than once: the same again, or in versions. */
interface RepeatedEvent {
  operator: string
  device_id: string
  /** Of all versions: first time (ms), how many times, how many contents, the trips. */
  first: string
  times: string
  versions: string
  trips: string[]
}

/**
 * Stores events and marks the versions that they supersede; adds to `dirtyMarks` what the former versions affect. Sent again, nothing
 * changes. Returns how many of them were stored before without a difference.
 */
export async function storeEvents(
  store: Facts,
  scope: Scope,
  received: BatchOrigin,
  events: readonly VehicleEvent[],
  { dirtyMarks, searches }: { dirtyMarks: DirtyMarks; searches: EventSearches },
): Promise<number> {
  if (!events.length) return 0
  const areDistinct = new Set(events.map(({ eventId }) => eventId)).size === events.length
  let pendingInsert = Promise.resolve()
  for (let from = 0; from < events.length; from += chunkSize) {
    const lines = eventLines(events.slice(from, from + chunkSize), received)
    await pendingInsert
    pendingInsert = store.insert(
      scope,
      'vehicle_events',
      eventLineColumns,
      received.regionId,
      lines,
      areDistinct,
    )
    // Awaited a turn later: an earlier failure is reported then.
    pendingInsert.catch(() => undefined)
    // Only once the engine has begun.
    await nextTurn()
  }
  await pendingInsert
  const search = versionSearch(received, events)
  const areNew = () =>
    search.events
      ? searches.areNew({ ...search, events: search.events })
      : isOnlyBatch(store, scope, search, events.length)
  if (areDistinct && (await areNew())) return 0
  return resolveVersions(store, scope, search, dirtyMarks)
}

/** The second half of storing events, for a batch that was interrupted in between. */
export async function resolveVersions(
  store: Facts,
  scope: Scope,
  search: VersionSearch,
  marks: DirtyMarks,
): Promise<number> {
  const found = await store.rows<RepeatedEvent>(scope, repeatedEvents(search), {
    limits: { seconds: 300, memory: 4 * 2 ** 30 },
  })
  const changed = found.filter(({ versions }) => versions !== '1')
  for (const { operator, device_id, first, trips } of changed) {
    marks.markVehicle(operator, device_id, Number(first))
    for (const tripId of trips) marks.markTrip(operator, tripId)
  }
  if (changed.some(({ times }) => times !== '1'))
    await store.add(scope, 'vehicle_events', eventLineColumns, supersededVersions(search))
  return found.length - changed.length
}

/** The events of a batch, and between which moments (ms) their versions lie. */
interface VersionSearch {
  regionId: string
  batchId: string
  from: number
  to: number
  /** If there are few: they are searched by their ids. The vehicles of a larger batch lie everywhere. */
  events?: readonly VehicleEvent[]
}

function versionSearch({ regionId, batchId }: BatchOrigin, events: readonly VehicleEvent[]): VersionSearch {
  let [from, to] = [Infinity, -Infinity]
  for (const { time } of events) {
    if (time < from) from = time
    if (time > to) to = time
  }
  return {
    regionId,
    batchId,
    from: from - sameEventDays * 86_400_000,
    to: to + sameEventDays * 86_400_000,
    ...(events.length <= maxSearchedEvents ? { events } : {}),
  }
}

const inSearchSpan = ({ regionId, from, to }: VersionSearch): Sql => sql`
  region_id = ${bind('String', regionId)} and event_time between ${instant(from)} and ${instant(to)}`

/** Versions, also superseded ones, of the events of a batch. */
const versionsOf = (search: VersionSearch): Sql => {
  if (search.events)
    return sql`${facts('vehicle_events')} where ${inSearchSpan(search)} and ${areEvents(search.events)}`
  const batch = sql`${facts('vehicle_events')} where ${inSearchSpan(search)} and batch_id = ${bind('UUID', search.batchId)}`
  return sql`${facts('vehicle_events')} where ${inSearchSpan(search)} and event_id in (select event_id from ${batch})`
}

/** Whether a row is a version of one of some events. */
const areEvents = (events: readonly VehicleEvent[]): Sql => {
  const operators = [...new Set(events.map(({ operator }) => operator))]
  const conditions = operators.map((operator) => {
    const own = events.filter((event) => event.operator === operator)
    const deviceIds = [...new Set(own.map(({ deviceId }) => deviceId))]
    const eventIds = own.map(({ eventId }) => eventId)
    return sql`operator = ${bind('String', operator)} and device_id in ${bind('Array(UUID)', deviceIds)} and event_id in ${bind('Array(UUID)', eventIds)}`
  })
  return sql`(${joinSql(conditions, ' or ')})`
}

/** Whether the rows of a batch are the only versions of its events. */
async function isOnlyBatch(
  store: Facts,
  scope: Scope,
  search: VersionSearch,
  count: number,
): Promise<boolean> {
  const [stored] = await store.rows<{ times: string }>(
    scope,
    sql`select count() as times from ${versionsOf(search)}`,
    { limits: { seconds: 300, memory: 4 * 2 ** 30 } },
  )
  return Number(stored?.times) === count
}

/** The versions are a subquery, because an alias of a result would also be replaced in their conditions. */
const repeatedEvents = (search: VersionSearch): Sql => sql`
  select operator, toString(device_id) as device_id, toString(toUnixTimestamp64Milli(min(event_time))) as first, toString(uniqExact(event_time)) as times, toString(uniqExact(version)) as versions,
    arrayMap(id -> toString(id), groupUniqArrayArray(trip_ids)) as trips
  from (select * from ${versionsOf(search)})
  group by operator, device_id, event_id
  having count() > 1`

/** A mark for each time of an event that is not its winner's, as strong as the winner: it yields to a version that is published later still. */
const supersededVersions = (search: VersionSearch): Sql => sql`
  select region_id, operator, device_id, event_time, event_id, state, event_types, trip_ids, lon, lat, accuracy, battery, turn, 1 as superseded, feed_id, batch_id, received_time, winner as version
  from (
    select *, max(version) over (partition by operator, device_id, event_id) as winner, argMax(event_time, (version, 1 - superseded)) over (partition by operator, device_id, event_id) as winning_time
    from ${versionsOf(search)}
  )
  where event_time != winning_time
  limit 1 by operator, device_id, event_id, event_time`
