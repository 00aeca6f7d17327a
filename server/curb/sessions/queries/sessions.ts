import { dayMs } from '#contract/period.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, columnsWith, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import { eventColumns } from '../event-rows.ts'
import { maxSessionMs } from '../derive-lane.ts'

/** Versions of an event are only found within this time of each other; farther apart, they are two. */
const sameEventMs = 14 * dayMs
/** A session can affect its lane for at most this long after its start. */
export const stateMs = 2 * maxSessionMs + dayMs

/** A stored batch, and the times (ms) of its first and last event. */
export interface BatchSpan {
  batchId: string
  from: number
  until: number
}

/** Formats a batch as a span of the derived product. `readSpan` is the inverse. */
export const formatSpan = ({ batchId, from, until }: BatchSpan): string => `${from}:${until}:${batchId}`
export function readSpan(span: string): BatchSpan {
  const [from = '', until = '', batchId = ''] = span.split(':')
  return { batchId, from: Number(from), until: Number(until) }
}

const eventTimeCondition = (regionId: string, from: number, until: number): Sql => sql`
  region_id = ${bind('String', regionId)} and event_time between ${toDateTime(from)} and ${toDateTime(until)}`

/** Builds the `from` and `where` clauses for all stored versions of the events of a batch. */
const allVersionsSql = (regionId: string, { batchId, from, until }: BatchSpan): Sql => sql`
  ${facts('curb_events')}
  where ${eventTimeCondition(regionId, from - sameEventMs, until + sameEventMs)}
    and event_key in (
      select event_key
      from ${facts('curb_events')}
      where ${eventTimeCondition(regionId, from, until)} and batch_id = ${bind('UUID', batchId)}
    )`

/** Builds SQL that counts a batch's events with several versions, and with several times or lanes. */
export const repeatedEventsSql = (regionId: string, batch: BatchSpan): Sql => sql`
  with
    repeated_events as (
      select
        event_id,
        count() as versions,
        uniqExact(lane, event_time) as places
      from ${allVersionsSql(regionId, batch)}
      group by event_id
      having versions > 1
    )
  select
    toString(count()) as repeated,
    toString(countIf(places > 1)) as moved
  from repeated_events`

/** Builds SQL for rows that mark versions as superseded by a later one with another time or lane. */
export const supersededRows = (regionId: string, batch: BatchSpan): Sql => sql`
  with
    versions as (
      select *,
        max(version) over (partition by event_id) as last_version,
        argMax((lane, event_time), (version, 1 - superseded)) over (partition by event_id) as last_place
      from ${allVersionsSql(regionId, batch)}
    )
  select ${columnsWith(eventColumns, {
    superseded: sql`toUInt8(1) as is_superseded`,
    version: sql`last_version`,
    batch_id: sql`${bind('UUID', batch.batchId)} as marking_batch`,
  })}
  from versions
  where (lane, event_time) != last_place
  limit 1 by event_id, lane, event_time`

/** Builds SQL for lanes with sessions that batches changed, with the time of the first change. */
export const dirtyLanesSql = (regionId: string, batches: readonly BatchSpan[]): Sql => sql`
  select lane, toString(toUnixTimestamp64Milli(min(event_time))) as since
  from ${facts('curb_events')}
  where ${inBatchesCondition(regionId, batches)} and not startsWith(lane, 'source:')
  group by lane`

const inBatchesCondition = (regionId: string, batches: readonly BatchSpan[]): Sql => {
  const from = Math.min(...batches.map((batch) => batch.from)) - sameEventMs
  const until = Math.max(...batches.map((batch) => batch.until)) + sameEventMs
  return sql`${eventTimeCondition(regionId, from, until)} and batch_id in ${bind(
    'Array(UUID)',
    batches.map(({ batchId }) => batchId),
  )}`
}

/** Builds SQL for local days of batches, and the days after, because the state of a source continues. */
export const eventDaysSql = (regionId: string, batches: readonly BatchSpan[], timezone: string): Sql => sql`
  with
    days as (
      select toDate(toTimeZone(event_time, ${bind('String', timezone)})) as local_day
      from ${facts('curb_events')}
      where ${inBatchesCondition(regionId, batches)}
    )
  select distinct toString(arrayJoin([local_day, local_day + 1])) as day
  from days`

const lanesCondition = (lanes: readonly string[]): Sql => sql`lane in ${bind('Array(String)', lanes)}`

/** Builds SQL for the events of lanes from a time on, without superseded ones. */
export const laneEventsSql = (regionId: string, lanes: readonly string[], since: number): Sql => sql`
  select
    lane,
    event_id,
    event_type,
    toString(toUnixTimestamp64Milli(event_time)) as time,
    zone_id,
    area_ids,
    space_id,
    object_id,
    source_kind,
    session_key,
    vehicle,
    vehicle_type,
    vehicle_length,
    propulsion,
    purpose,
    if(isNaN(lon), null, lon) as longitude,
    if(isNaN(lat), null, lat) as latitude,
    toString(amount) as amount_text,
    channel,
    blocked_lanes
  from ${latest('curb_events')}
  where region_id = ${bind('String', regionId)}
    and ${lanesCondition(lanes)}
    and event_time >= ${toDateTime(since)}
    and superseded = 0
  order by lane, event_time`

/** Builds SQL for the stored sessions of lanes that can be open at a time or begin later. */
export const laneSessionsSql = (regionId: string, lanes: readonly string[], since: number): Sql => sql`
  select
    lane,
    session_id,
    toString(toUnixTimestamp64Milli(from_time)) as from_ms,
    toString(toUnixTimestamp64Milli(closed_time)) as closed_ms,
    start_event,
    toString(toUnixTimestamp64Milli(end_time)) as end_ms,
    digest
  from ${latest('curb_sessions')}
  where region_id = ${bind('String', regionId)}
    and ${lanesCondition(lanes)}
    and from_time >= ${toDateTime(since - stateMs)}`
