import {
  bind,
  columnsWith,
  deletionColumns,
  facts,
  itemTuples,
  latest,
  type Sql,
  sql,
  versionValue,
} from '#server/stores/sql.ts'
import { sessionColumns } from '../../sessions/session-rows.ts'
import { paymentTableColumns } from '../payment-rows.ts'
import { laneColumns } from '../queries.ts'

/** The payments of a batch or import, also deleted ones, and the times of the first and last (seconds). */
export interface PaymentSpan {
  importId: string
  from: number
  until: number
}

/** Formats a span of the derived product. `readSpan` is the inverse. */
export const formatSpan = ({ importId, from, until }: PaymentSpan): string => `${from}:${until}:${importId}`
export function readSpan(span: string): PaymentSpan {
  const [from = '', until = '', importId = ''] = span.split(':')
  return { importId, from: Number(from), until: Number(until) }
}

/** A session lasts at most 40 days, so all of its payments are within this many days of any of them. */
const reachDays = 42
const daySeconds = 86_400

const regionCondition = (regionId: string): Sql => sql`region_id = ${bind('String', regionId)}`
const importsCondition = (spans: readonly PaymentSpan[]): Sql =>
  sql`import_id in ${bind(
    'Array(UUID)',
    spans.map(({ importId }) => importId),
  )}`
/** Returns the first and last second of some spans. */
const getRange = (spans: readonly PaymentSpan[]): { from: number; until: number } => ({
  from: Math.min(...spans.map((span) => span.from)),
  until: Math.max(...spans.map((span) => span.until)),
})
/** Builds the condition for the days of some spans, and `reach` days before and after them. */
const nearbyDaysCondition = (spans: readonly PaymentSpan[], reach: number): Sql => {
  const { from, until } = getRange(spans)
  const days = bind('UInt8', reach + 1)
  return sql`day between toDate(toDateTime(${bind('UInt32', from)}, 'UTC')) - ${days}
      and toDate(toDateTime(${bind('UInt32', until)}, 'UTC')) + ${days}`
}
/** Builds SQL for the earliest start of a session with a payment of some spans. */
const firstStartSql = (spans: readonly PaymentSpan[]): Sql =>
  sql`toDateTime(${bind('UInt32', Math.max(0, getRange(spans).from - reachDays * daySeconds))}, 'UTC')`
/** Builds SQL for the latest start of a session with a payment of some spans. */
const lastStartSql = (spans: readonly PaymentSpan[]): Sql =>
  sql`toDateTime(${bind('UInt32', getRange(spans).until + reachDays * daySeconds)}, 'UTC')`

/** Builds SQL for the lanes with payments of some imports. */
export const lanesWithPaymentsSql = (regionId: string, spans: readonly PaymentSpan[]): Sql => sql`
  select distinct lane
  from ${facts('curb_payment_lanes')}
  where ${regionCondition(regionId)} and ${importsCondition(spans)}`

/** Builds SQL for the purchases of lanes with their last derived sessions. Times are in seconds. */
export const lanePurchasesSql = (regionId: string, lanes: readonly string[]): Sql => sql`
  select
    lane,
    row_key,
    kind,
    toUnixTimestamp(paid_time) as paid,
    toUnixTimestamp(start_time) as start,
    toUnixTimestamp(end_time) as end,
    purchased_seconds as purchased,
    hint,
    is_cumulative,
    session_id,
    starts_session,
    net_seconds as net
  from ${latest('curb_payment_lanes')}
  where ${regionCondition(regionId)} and lane in ${bind('Array(String)', lanes)}`

/** The values of a payment that stitching sets. Times are in seconds. */
export interface Assignment {
  rowKey: string
  sessionId: string
  startsSession: boolean
  start: number | null
  end: number | null
  net: number | null
}

/** Builds SQL for the assignments as rows. Nulls are -1. */
const assignedRows = (assignments: readonly Assignment[]): Sql => sql`
      select
        item.1 as key,
        item.2 as new_session,
        item.3 as new_starts,
        item.4 as new_start,
        item.5 as new_end,
        item.6 as new_net
      from (
        select ${itemTuples(assignments, [
          ['String', ({ rowKey }) => rowKey],
          ['String', ({ sessionId }) => sessionId],
          ['UInt8', ({ startsSession }) => (startsSession ? 1 : 0)],
          ['Int64', ({ start }) => start ?? -1],
          ['Int64', ({ end }) => end ?? -1],
          ['Int64', ({ net }) => net ?? -1],
        ])} as item
      )
    `

const timeSql = (column: Sql): Sql => sql`if(${column} < 0, null, toDateTime(${column}, 'UTC'))`
const newNetSeconds = sql`if(new_net < 0, null, toUInt32(new_net))`

/** Builds SQL for the rows of `curb_payments` with their new sessions. */
export const reassignedPaymentRows = (
  regionId: string,
  spans: readonly PaymentSpan[],
  assignments: readonly Assignment[],
  version: bigint,
): Sql => sql`
  with
    stored as (
      select *
      from ${latest('curb_payments')}
      where ${regionCondition(regionId)} and ${nearbyDaysCondition(spans, reachDays)}
    ),
    assigned as (${assignedRows(assignments)})
  select ${columnsWith(paymentTableColumns, {
    session_id: sql`new_session`,
    starts_session: sql`new_starts`,
    start_time: timeSql(sql`new_start`),
    end_time: timeSql(sql`new_end`),
    purchased_seconds: newNetSeconds,
    version: versionValue(version),
  })}
  from stored
  inner join assigned on stored.row_key = assigned.key`

/** Builds SQL for `curb_payment_lanes` rows with new sessions; reported values remain, to repeat this. */
export const reassignedLaneRows = (
  regionId: string,
  lanes: readonly string[],
  assignments: readonly Assignment[],
  version: bigint,
): Sql => sql`
  with
    stored as (
      select *
      from ${latest('curb_payment_lanes')}
      where ${regionCondition(regionId)} and lane in ${bind('Array(String)', lanes)}
    ),
    assigned as (${assignedRows(assignments)})
  select ${columnsWith(laneColumns, {
    session_id: sql`new_session`,
    starts_session: sql`new_starts`,
    net_seconds: newNetSeconds,
    version: versionValue(version),
  })}
  from stored
  inner join assigned on stored.row_key = assigned.key`

/** The sessions that a statement stores: `sessionIds`, or else those of the payments of the spans. */
export interface StoredSessions {
  regionId: string
  spans: readonly PaymentSpan[]
  sessionIds: readonly string[] | null
}

const sessionCondition = ({ regionId, spans, sessionIds }: StoredSessions): Sql =>
  sessionIds
    ? sql`session_id in ${bind('Array(String)', sessionIds)}`
    : sql`session_id in (
        select session_id
        from ${facts('curb_payments')}
        where ${regionCondition(regionId)}
          and ${importsCondition(spans)}
          and ${nearbyDaysCondition(spans, 1)}
          and session_id != ''
      )`

/** Builds SQL for the rows of `curb_sessions` of paid sessions. Amounts are sums of payments and refunds. */
export const paidSessionRows = (sessions: StoredSessions, version: bigint): Sql => {
  const values: Record<(typeof sessionColumns)[number], Sql> = {
    region_id: sql`region_id`,
    lane: sql`concat('paid:', session_id)`,
    from_time: sql`toDateTime64(begin, 3, 'UTC')`,
    session_id: sql`session_id`,
    type: sql`'parking'`,
    event_session_id: sql`''`,
    start_event: sql`''`,
    end_event: sql`''`,
    start_time: sql`toDateTime64(begin, 3, 'UTC')`,
    end_time: sql`toDateTime64(until, 3, 'UTC')`,
    closed_time: sql`toDateTime64(until, 3, 'UTC')`,
    zone_id: sql`zone`,
    area_ids: sql`emptyArrayString()`,
    space_id: sql`''`,
    object_id: sql`place`,
    source_kind: sql`'payment'`,
    channel: sql`''`,
    amount: sql`total`,
    vehicle: sql`''`,
    vehicle_type: sql`''`,
    vehicle_length: sql`null`,
    propulsion: sql`emptyArrayString()`,
    purpose: sql`''`,
    blocked_lanes: sql`emptyArrayString()`,
    start_lon: sql`nan`,
    start_lat: sql`nan`,
    end_lon: sql`nan`,
    end_lat: sql`nan`,
    problems: sql`emptyArrayString()`,
    digest: sql`toUInt32(0)`,
    is_deleted: sql`toUInt8(0)`,
    version: versionValue(version),
  }
  return sql`
  with
    paid_sessions as (
      select
        region_id,
        session_id,
        assumeNotNull(minIf(start_time, kind = 'counted')) as begin,
        assumeNotNull(maxIf(end_time, kind = 'counted')) as until,
        argMin(zone_id, paid_time) as zone,
        argMin(location_id, paid_time) as place,
        sum(amount) as total
      from ${latest('curb_payments')}
      where ${regionCondition(sessions.regionId)}
        and ${nearbyDaysCondition(sessions.spans, reachDays)}
        and source != 'cds'
        and kind in ('counted', 'refund')
        and ${sessionCondition(sessions)}
      group by region_id, session_id
      having countIf(kind = 'counted' and start_time is not null and end_time is not null) > 0
    )
  select ${columnsWith(sessionColumns, values)}
  from paid_sessions`
}

/** Builds SQL that deletes paid sessions that the derivation of this version did not write again. */
export const sessionDeletionRows = (sessions: StoredSessions, version: bigint): Sql => sql`
  select ${deletionColumns(sessionColumns, version)}
  from ${latest('curb_sessions')}
  where ${regionCondition(sessions.regionId)}
    and source_kind = 'payment'
    and startsWith(lane, 'paid:')
    and version < ${versionValue(version)}
    and from_time >= ${firstStartSql(sessions.spans)}
    and from_time <= ${lastStartSql(sessions.spans)}
    and ${sessionCondition(sessions)}`

/** Builds SQL for the times (seconds) of sessions of a version, by the day on which they begin. */
export const sessionRangesSql = (
  regionId: string,
  spans: readonly PaymentSpan[],
  version: bigint,
): Sql => sql`
  with
    days as (
      select
        toStartOfDay(from_time) as from_time,
        max(end_time) as end_time
      from ${facts('curb_sessions')}
      where ${regionCondition(regionId)}
        and version = ${versionValue(version)}
        and from_time >= ${firstStartSql(spans)}
      group by from_time
    )
  select distinct
    toUnixTimestamp(toStartOfDay(from_time)) as first,
    toUnixTimestamp(assumeNotNull(end_time)) as last
  from days
  where end_time is not null`

/** Builds the condition for lanes that were received before a time (seconds) and can be deleted. */
export const oldLanesCondition = (regionId: string, before: number): Sql =>
  sql`region_id = ${bind('String', regionId)} and received_time < toDateTime(${bind('UInt32', before)}, 'UTC')`
