import { sessionColumns } from '../../sessions/session-rows.ts'
import { bind, facts, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { paymentTableColumns } from '../payment-rows.ts'

/**
 * The payments of a batch or import, including deleted ones, and the times of the first and last one
 * (seconds).
 */
export interface PaymentSpan {
  importId: string
  from: number
  until: number
}

/** The span of the derived product. `readSpan` is the inverse. */
export const spanText = ({ importId, from, until }: PaymentSpan): string => `${from}:${until}:${importId}`
export function readSpan(span: string): PaymentSpan {
  const [from = '', until = '', importId = ''] = span.split(':')
  return { importId, from: Number(from), until: Number(until) }
}

/** A session lasts at most 40 days, so all of its payments are within this many days of any of them. */
const reachDays = 42

const regionCondition = (regionId: string): Sql => sql`region_id = ${bind('String', regionId)}`
const inImports = (spans: readonly PaymentSpan[]): Sql =>
  sql`import_id in ${bind(
    'Array(UUID)',
    spans.map(({ importId }) => importId),
  )}`
const nearbyDays = (spans: readonly PaymentSpan[], reach: number): Sql => {
  const from = Math.min(...spans.map((span) => span.from))
  const until = Math.max(...spans.map((span) => span.until))
  return sql`day between toDate(toDateTime(${bind('UInt32', from)}, 'UTC')) - ${bind('UInt8', reach + 1)} and toDate(toDateTime(${bind('UInt32', until)}, 'UTC')) + ${bind('UInt8', reach + 1)}`
}

/** The lanes with payments of some imports. */
export const lanesWithPayments = (regionId: string, spans: readonly PaymentSpan[]): Sql => sql`
  select distinct lane
  from ${facts('curb_payment_lanes')}
  where ${regionCondition(regionId)} and ${inImports(spans)}`

/** The purchases of lanes with their last derived sessions. Times are in seconds. */
export const lanePurchases = (regionId: string, lanes: readonly string[]): Sql => sql`
  select lane, row_key, kind, toUnixTimestamp(paid_time) as paid, toUnixTimestamp(start_time) as start, toUnixTimestamp(end_time) as end, purchased_seconds as purchased,
    hint, is_cumulative, session_id, starts_session, net_seconds as net
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

/** The assignments as a subquery. Nulls are -1. */
const assigned = (assignments: readonly Assignment[]): Sql => {
  const list = (type: string, values: readonly unknown[]): Sql => sql`${bind(`Array(${type})`, values)}`
  const number = (value: number | null): number => value ?? -1
  return sql`(
    select item.1 as key, item.2 as new_session, item.3 as new_starts, item.4 as new_start, item.5 as new_end, item.6 as new_net
    from (select arrayJoin(arrayZip(${joinSql(
      [
        list(
          'String',
          assignments.map(({ rowKey }) => rowKey),
        ),
        list(
          'String',
          assignments.map(({ sessionId }) => sessionId),
        ),
        list(
          'UInt8',
          assignments.map(({ startsSession }) => (startsSession ? 1 : 0)),
        ),
        list(
          'Int64',
          assignments.map(({ start }) => number(start)),
        ),
        list(
          'Int64',
          assignments.map(({ end }) => number(end)),
        ),
        list(
          'Int64',
          assignments.map(({ net }) => number(net)),
        ),
      ],
      ', ',
    )})) as item)
  )`
}

const toTime = (column: Sql): Sql => sql`if(${column} < 0, null, toDateTime(${column}, 'UTC'))`

/** Rows of `curb_payments` with their new sessions. */
export const reassignedPayments = (
  regionId: string,
  spans: readonly PaymentSpan[],
  assignments: readonly Assignment[],
  version: bigint,
): Sql => {
  const changes: Record<string, Sql> = {
    session_id: sql`new_session`,
    starts_session: sql`new_starts`,
    start_time: toTime(sql`new_start`),
    end_time: toTime(sql`new_end`),
    purchased_seconds: sql`if(new_net < 0, null, toUInt32(new_net))`,
    version: sql`${bind('UInt64', String(version))}`,
  }
  return sql`
  select ${joinSql(
    paymentTableColumns.map((name) => changes[name] ?? identifier(name)),
    ', ',
  )}
  from (select * from ${latest('curb_payments')} where ${regionCondition(regionId)} and ${nearbyDays(spans, reachDays)}) as payment
  inner join ${assigned(assignments)} as item on payment.row_key = item.key`
}

const laneKeyColumns = [
  'region_id',
  'lane',
  'paid_time',
  'row_key',
  'kind',
  'start_time',
  'end_time',
  'purchased_seconds',
  'hint',
  'is_cumulative',
  'day',
  'import_id',
  'received_time',
] as const

/**
 * Rows of `curb_payment_lanes` with their new sessions. Reported values are unchanged, so that stitching can
 * be repeated.
 */
export const reassignedLanes = (
  regionId: string,
  lanes: readonly string[],
  assignments: readonly Assignment[],
  version: bigint,
): Sql => sql`
  select ${joinSql(
    laneKeyColumns.map((name) => identifier(name)),
    ', ',
  )}, new_session, new_starts, if(new_net < 0, null, toUInt32(new_net)), is_deleted, ${bind('UInt64', String(version))}
  from (select * from ${latest('curb_payment_lanes')} where ${regionCondition(regionId)} and lane in ${bind('Array(String)', lanes)}) as purchase
  inner join ${assigned(assignments)} as item on purchase.row_key = item.key`

/** The sessions in `others`; if it is empty, those of the payments of some imports. */
const sessionIds = (regionId: string, spans: readonly PaymentSpan[], others: readonly string[]): Sql =>
  others.length
    ? sql`session_id in ${bind('Array(String)', others)}`
    : sql`session_id in (select session_id from ${facts('curb_payments')} where ${regionCondition(regionId)} and ${inImports(spans)} and ${nearbyDays(spans, 1)} and session_id != '')`

const laneOfSession = sql`concat('paid:', session_id)`

/**
 * Rows of `curb_sessions` for the paid sessions in `others`, or if it is empty, for those of the payments of
 * some imports. The amount of a session is the sum of its payments and refunds.
 */
export const paidSessions = (
  regionId: string,
  spans: readonly PaymentSpan[],
  others: readonly string[],
  version: bigint,
): Sql => {
  const values: Record<(typeof sessionColumns)[number], Sql> = {
    region_id: sql`region_id`,
    lane: laneOfSession,
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
    version: sql`${bind('UInt64', String(version))}`,
  }
  return sql`
  select ${joinSql(
    sessionColumns.map((name) => values[name]),
    ', ',
  )}
  from (
    select region_id, session_id, assumeNotNull(minIf(start_time, kind = 'counted')) as begin, assumeNotNull(maxIf(end_time, kind = 'counted')) as until,
      argMin(zone_id, paid_time) as zone, argMin(location_id, paid_time) as place, sum(amount) as total
    from ${latest('curb_payments')}
    where ${regionCondition(regionId)} and ${nearbyDays(spans, reachDays)} and source != 'cds' and kind in ('counted', 'refund') and ${sessionIds(regionId, spans, others)}
    group by region_id, session_id
    having countIf(kind = 'counted' and start_time is not null and end_time is not null) > 0
  )`
}

/** Deletion rows for paid sessions that the derivation of this version did not write again. */
export const withdrawnSessions = (
  regionId: string,
  spans: readonly PaymentSpan[],
  others: readonly string[],
  version: bigint,
): Sql => sql`
  select ${joinSql(
    sessionColumns.map((name) =>
      name === 'is_deleted'
        ? sql`toUInt8(1)`
        : name === 'version'
          ? sql`${bind('UInt64', String(version))}`
          : identifier(name),
    ),
    ', ',
  )}
  from ${latest('curb_sessions')}
  where ${regionCondition(regionId)} and source_kind = 'payment' and startsWith(lane, 'paid:') and version < ${bind('UInt64', String(version))}
    and from_time >= toDateTime(${bind('UInt32', Math.max(0, Math.min(...spans.map(({ from }) => from)) - reachDays * 86_400))}, 'UTC')
    and from_time <= toDateTime(${bind('UInt32', Math.max(...spans.map(({ until }) => until)) + reachDays * 86_400)}, 'UTC')
    and ${sessionIds(regionId, spans, others)}`

/** The times (seconds) of sessions of a version, by the day on which they begin. */
export const sessionRange = (regionId: string, spans: readonly PaymentSpan[], version: bigint): Sql => sql`
  select distinct toUnixTimestamp(toStartOfDay(from_time)) as first, toUnixTimestamp(assumeNotNull(end_time)) as last
  from (
    select toStartOfDay(from_time) as from_time, max(end_time) as end_time
    from ${facts('curb_sessions')}
    where ${regionCondition(regionId)} and version = ${bind('UInt64', String(version))}
      and from_time >= toDateTime(${bind('UInt32', Math.max(0, Math.min(...spans.map(({ from }) => from)) - reachDays * 86_400))}, 'UTC')
    group by from_time
  )
  where end_time is not null`

/** The condition for lanes that were received before a time (seconds) and can be deleted. */
export const oldLanes = (regionId: string, before: number): Sql =>
  sql`region_id = ${bind('String', regionId)} and received_time < toDateTime(${bind('UInt32', before)}, 'UTC')`
