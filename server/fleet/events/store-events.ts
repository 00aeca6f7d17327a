import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, facts as factTable, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import { eventLineColumns, formatEventLines, type BatchOrigin } from './event-lines.ts'
import { type EventSearches, maxSearchedEvents } from './event-searches.ts'
import type { DirtyMarks } from './dirty-marks.ts'
import type { VehicleEvent } from './feed-records.ts'

/** Versions of an event are at most this many days apart. Farther apart, they count as two events. */
const sameEventDays = 14

/** The number of events per insert. While one chunk is inserted, the lines of the next are built. */
const chunkSize = 50_000

/** An event of a batch that is stored more than once, repeated or in several versions. */
interface RepeatedEvent {
  operator: string
  device_id: string
  event_id: string
  /** The first event time of all versions, ms. */
  first: string
  /** The number of distinct event times. */
  times: string
  /** The number of distinct versions. */
  versions: string
  /** The trips of all versions. */
  trips: string[]
}

/**
 * Stores events and marks the versions that they supersede. Adds the vehicles and trips of superseded
 * versions to `dirtyMarks`. Idempotent. Returns the number of events that were stored before without a
 * difference.
 */
export async function storeEvents(
  facts: Facts,
  scope: Scope,
  {
    origin,
    events,
    dirtyMarks,
    searches,
  }: {
    origin: BatchOrigin
    events: readonly VehicleEvent[]
    dirtyMarks: DirtyMarks
    searches: EventSearches
  },
): Promise<number> {
  if (!events.length) return 0
  const areDistinct = new Set(events.map(({ eventId }) => eventId)).size === events.length
  let pendingInsert = Promise.resolve()
  for (let from = 0; from < events.length; from += chunkSize) {
    const lines = formatEventLines(events.slice(from, from + chunkSize), origin)
    await pendingInsert
    pendingInsert = facts.insert(scope, 'vehicle_events', {
      columns: eventLineColumns,
      regionId: origin.regionId,
      lines,
      areDistinct,
    })
    // Errors are thrown when the promise is awaited below. Until then, they must not count as unhandled.
    pendingInsert.catch(() => undefined)
    // Lets the insert start before the next lines are built.
    await nextTurn()
  }
  await pendingInsert
  const search = createVersionSearch(origin, events)
  const areNew = () =>
    search.events
      ? searches.areNew({ ...search, events: search.events })
      : hasOnlyVersions(facts, scope, search, events.length)
  if (areDistinct && (await areNew())) return 0
  return resolveVersions(facts, scope, search, dirtyMarks)
}

/** Runs the second half of `storeEvents`, which is repeated for interrupted batches. Returns the same. */
export async function resolveVersions(
  facts: Facts,
  scope: Scope,
  search: VersionSearch,
  marks: DirtyMarks,
): Promise<number> {
  const candidates = await facts.rows<RepeatedEvent>(scope, repeatedEventsSql(search), {
    limits: { seconds: 300, memory: 4 * 2 ** 30 },
  })
  // The condition combines vehicles and event ids, so it also matches other vehicles' events with these ids.
  const keys = search.events && new Set(search.events.map(getEventKey))
  const repeated = candidates.filter(
    ({ operator, device_id: deviceId, event_id: eventId }) =>
      !keys || keys.has(getEventKey({ operator, deviceId, eventId })),
  )
  const changed = repeated.filter(({ versions }) => versions !== '1')
  for (const { operator, device_id, first, trips } of changed) {
    marks.markVehicle(operator, device_id, Number(first))
    for (const tripId of trips) marks.markTrip(operator, tripId)
  }
  if (changed.some(({ times }) => times !== '1'))
    await facts.add(scope, 'vehicle_events', { columns: eventLineColumns, rows: supersededRows(search) })
  return repeated.length - changed.length
}

const getEventKey = ({
  operator,
  deviceId,
  eventId,
}: Pick<VehicleEvent, 'operator' | 'deviceId' | 'eventId'>): string => `${operator} ${deviceId} ${eventId}`

/** A batch, and the time range (ms) in which versions of its events are searched. */
interface VersionSearch {
  regionId: string
  batchId: string
  from: number
  to: number
  /** The events, if there are few enough to be searched by id. */
  events?: readonly VehicleEvent[]
}

/** Creates the search for the versions of a batch's events. */
function createVersionSearch(
  { regionId, batchId }: BatchOrigin,
  events: readonly VehicleEvent[],
): VersionSearch {
  let from = Infinity
  let to = -Infinity
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

const searchSpanCondition = ({ regionId, from, to }: VersionSearch): Sql => sql`
  region_id = ${bind('String', regionId)} and event_time between ${toDateTime(from)} and ${toDateTime(to)}`

/** Builds the table and condition of all versions of a batch's events, including superseded ones. */
const versionsSql = (search: VersionSearch): Sql => {
  if (search.events)
    return sql`${factTable('vehicle_events')} where ${searchSpanCondition(search)} and ${eventsCondition(search.events)}`
  const batch = sql`
    ${factTable('vehicle_events')}
    where ${searchSpanCondition(search)} and batch_id = ${bind('UUID', search.batchId)}`
  return sql`
    ${factTable('vehicle_events')}
    where ${searchSpanCondition(search)} and event_id in (select event_id from ${batch})`
}

/** Builds the condition for rows that are versions of events. */
const eventsCondition = (events: readonly VehicleEvent[]): Sql => {
  const operators = [...new Set(events.map(({ operator }) => operator))]
  const conditions = operators.map((operator) => {
    const operatorEvents = events.filter((event) => event.operator === operator)
    const deviceIds = [...new Set(operatorEvents.map(({ deviceId }) => deviceId))]
    const eventIds = operatorEvents.map(({ eventId }) => eventId)
    return sql`
      operator = ${bind('String', operator)}
      and device_id in ${bind('Array(UUID)', deviceIds)}
      and event_id in ${bind('Array(UUID)', eventIds)}`
  })
  return sql`(${joinSql(conditions, ' or ')})`
}

/** Returns whether a batch contains the only versions of its events. */
async function hasOnlyVersions(
  facts: Facts,
  scope: Scope,
  search: VersionSearch,
  count: number,
): Promise<boolean> {
  const [stored] = await facts.rows<{ times: string }>(
    scope,
    sql`select count() as times from ${versionsSql(search)}`,
    { limits: { seconds: 300, memory: 4 * 2 ** 30 } },
  )
  return Number(stored?.times) === count
}

/**
 * Builds SQL for events that are stored more than once (`RepeatedEvent`). It has a subquery, because
 * ClickHouse would replace aliases in its conditions too.
 */
const repeatedEventsSql = (search: VersionSearch): Sql => sql`
  select
    operator,
    toString(device_id) as device_id,
    toString(event_id) as event_id,
    toString(toUnixTimestamp64Milli(min(event_time))) as first,
    toString(uniqExact(event_time)) as times,
    toString(uniqExact(version)) as versions,
    arrayMap(id -> toString(id), groupUniqArrayArray(trip_ids)) as trips
  from (select * from ${versionsSql(search)})
  group by operator, device_id, event_id
  having count() > 1`

/**
 * Builds SQL for rows that mark superseded versions: one for each time of an event other than that of its
 * winning version. They have the version of the winner, so that a version which is published later replaces
 * them.
 */
const supersededRows = (search: VersionSearch): Sql => sql`
  select
    region_id, operator, device_id, event_time, event_id, state, event_types, trip_ids, lon, lat,
    accuracy, battery, turn,
    1 as superseded,
    feed_id, batch_id, received_time,
    winner as version
  from (
    select
      *,
      max(version) over (partition by operator, device_id, event_id) as winner,
      argMax(event_time, (version, 1 - superseded)) over (
        partition by operator,
        device_id,
        event_id
      ) as winning_time
    from ${versionsSql(search)}
  )
  where event_time != winning_time
  limit 1 by operator, device_id, event_id, event_time`
