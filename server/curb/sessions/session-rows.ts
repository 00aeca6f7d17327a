import { encodeLines, escapeField, formatNumberField, formatTimeField } from '#server/stores/row-text.ts'
import type { LaneEvent, LaneSession } from './derive-lane.ts'
import { hashText, toNumberField, toTextListField } from './event-rows.ts'

export const sessionColumns = [
  'region_id',
  'lane',
  'from_time',
  'session_id',
  'type',
  'event_session_id',
  'start_event',
  'end_event',
  'start_time',
  'end_time',
  'closed_time',
  'zone_id',
  'area_ids',
  'space_id',
  'object_id',
  'source_kind',
  'channel',
  'amount',
  'vehicle',
  'vehicle_type',
  'vehicle_length',
  'propulsion',
  'purpose',
  'blocked_lanes',
  'start_lon',
  'start_lat',
  'end_lon',
  'end_lat',
  'problems',
  'digest',
  'is_deleted',
  'version',
] as const

/** A row of `curb_sessions` without region and version. `digest` is a hash of its columns. */
export interface SessionRow {
  line: string
  digest: number
  hasAmount: boolean
  isDeleted: boolean
}

/** Values of the columns of a withdrawn row that cannot be empty texts. */
const emptyFields: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['start_time', 'end_time', 'closed_time', 'amount', 'vehicle_length'].map((name) => [name, '\\N']),
  ),
  ...Object.fromEntries(['area_ids', 'propulsion', 'blocked_lanes', 'problems'].map((name) => [name, '[]'])),
  ...Object.fromEntries(['start_lon', 'start_lat', 'end_lon', 'end_lat'].map((name) => [name, 'nan'])),
}

const unspecified = new Set(['', 'unspecified'])
const findFirstSpecified = (...values: readonly string[]): string =>
  values.find((value) => !unspecified.has(value)) ?? ''
const toTimeField = (ms: number | null | undefined): string => (ms == null ? '\\N' : formatTimeField(ms))

/** Returns attributes of a session from its events: those of the start, but the payment of the end. */
export function toSessionFacts({ start, end }: Pick<LaneSession, 'start' | 'end'>) {
  // A session has at least one of the two events.
  const firstEvent = (start ?? end) as LaneEvent
  const lastEvent = (end ?? start) as LaneEvent
  return {
    zoneId: firstEvent.zoneId || lastEvent.zoneId,
    areaIds: firstEvent.areaIds.length ? firstEvent.areaIds : lastEvent.areaIds,
    spaceId: firstEvent.spaceId || lastEvent.spaceId,
    objectId: firstEvent.objectId || lastEvent.objectId,
    sourceKind: firstEvent.sourceKind,
    sessionKey: firstEvent.sessionKey,
    channel: lastEvent.channel || firstEvent.channel,
    amount: lastEvent.amount ?? firstEvent.amount,
    vehicle: firstEvent.vehicle || lastEvent.vehicle,
    vehicleType: findFirstSpecified(firstEvent.vehicleType, lastEvent.vehicleType),
    vehicleLength: firstEvent.vehicleLength ?? lastEvent.vehicleLength,
    propulsion: firstEvent.propulsion.length ? firstEvent.propulsion : lastEvent.propulsion,
    purpose: findFirstSpecified(firstEvent.purpose, lastEvent.purpose),
    blockedLanes: [...new Set([...firstEvent.blockedLanes, ...lastEvent.blockedLanes])].toSorted(),
  }
}

/** Returns the row of a session, with the fields before `digest` in the order of `sessionColumns`. */
export function toSessionRow(lane: string, session: LaneSession): SessionRow {
  const { start, end, key, fromTime, closedTime, problems } = session
  const facts = toSessionFacts(session)
  const line = [
    escapeField(lane),
    formatTimeField(fromTime),
    escapeField(key),
    lane.slice(0, lane.indexOf(':')),
    escapeField(facts.sessionKey),
    escapeField(start?.eventId ?? ''),
    escapeField(end?.eventId ?? ''),
    toTimeField(start?.time),
    toTimeField(end?.time),
    toTimeField(closedTime),
    escapeField(facts.zoneId),
    toTextListField(facts.areaIds),
    escapeField(facts.spaceId),
    escapeField(facts.objectId),
    facts.sourceKind,
    facts.channel,
    toNumberField(facts.amount),
    facts.vehicle,
    facts.vehicleType,
    toNumberField(facts.vehicleLength),
    toTextListField(facts.propulsion),
    escapeField(facts.purpose),
    toTextListField(facts.blockedLanes),
    formatNumberField(start?.lon ?? NaN),
    formatNumberField(start?.lat ?? NaN),
    formatNumberField(end?.lon ?? NaN),
    formatNumberField(end?.lat ?? NaN),
    toTextListField(problems.toSorted()),
  ].join('\t')
  return { line, digest: hashText(line), hasAmount: facts.amount !== null, isDeleted: false }
}

/** Returns a row that withdraws a stored session. */
export const toDeletionRow = (lane: string, fromTime: number, sessionId: string): SessionRow => ({
  line: [
    escapeField(lane),
    formatTimeField(fromTime),
    escapeField(sessionId),
    // The columns between the key of the row and its digest.
    ...sessionColumns.slice(4, -3).map((name) => emptyFields[name] ?? ''),
  ].join('\t'),
  digest: 0,
  hasAmount: false,
  isDeleted: true,
})

/** Returns the rows as tab-separated lines for insertion into `curb_sessions`. */
export const toSessionLines = (regionId: string, rows: readonly SessionRow[], version: bigint): Buffer =>
  encodeLines(
    rows,
    ({ line, digest, isDeleted }) =>
      `${escapeField(regionId)}\t${line}\t${digest}\t${isDeleted ? 1 : 0}\t${version}\n`,
  )
