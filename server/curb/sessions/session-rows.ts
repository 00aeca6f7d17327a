import { encodeLines, escapeField, numberText, timeText } from '#server/stores/row-text.ts'
import type { LaneEvent, LaneSession } from './derive-lane.ts'
import { hashText, maybeField, textsField } from './event-rows.ts'

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

/** A session as it is stored. `digest`: a hash of its columns. */
export interface SessionRow {
  line: string
  digest: number
  hasAmount: boolean
  isDeleted: boolean
}

/** Columns of a withdrawn row that cannot be empty texts. */
const emptyFields: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['start_time', 'end_time', 'closed_time', 'amount', 'vehicle_length'].map((name) => [name, '\\N']),
  ),
  ...Object.fromEntries(['area_ids', 'propulsion', 'blocked_lanes', 'problems'].map((name) => [name, '[]'])),
  ...Object.fromEntries(['start_lon', 'start_lat', 'end_lon', 'end_lat'].map((name) => [name, 'nan'])),
}

const unspecified = new Set(['', 'unspecified'])
const known = (...values: readonly string[]): string => values.find((value) => !unspecified.has(value)) ?? ''
const maybeTime = (ms: number | null | undefined): string => (ms == null ? '\\N' : timeText(ms))

/** What the facts of a session are, of its two events: the start says what it is, the end what it cost. */
export function sessionFacts({ start, end }: Pick<LaneSession, 'start' | 'end'>) {
  const [first, last] = [start ?? end, end ?? start] as [LaneEvent, LaneEvent]
  return {
    zoneId: first.zoneId || last.zoneId,
    areaIds: first.areaIds.length ? first.areaIds : last.areaIds,
    spaceId: first.spaceId || last.spaceId,
    objectId: first.objectId || last.objectId,
    sourceKind: first.sourceKind,
    sessionKey: first.sessionKey,
    channel: last.channel || first.channel,
    amount: last.amount ?? first.amount,
    vehicle: first.vehicle || last.vehicle,
    vehicleType: known(first.vehicleType, last.vehicleType),
    vehicleLength: first.vehicleLength ?? last.vehicleLength,
    propulsion: first.propulsion.length ? first.propulsion : last.propulsion,
    purpose: known(first.purpose, last.purpose),
    blockedLanes: [...new Set([...first.blockedLanes, ...last.blockedLanes])].toSorted(),
  }
}

/** A session as a row of `curb_sessions`, without region and version, and a hash of it. */
export function sessionRow(lane: string, session: LaneSession): SessionRow {
  const { start, end, key, fromTime, closedTime, problems } = session
  const facts = sessionFacts(session)
  const line = [
    escapeField(lane),
    timeText(fromTime),
    escapeField(key),
    lane.slice(0, lane.indexOf(':')),
    escapeField(facts.sessionKey),
    escapeField(start?.eventId ?? ''),
    escapeField(end?.eventId ?? ''),
    maybeTime(start?.time),
    maybeTime(end?.time),
    maybeTime(closedTime),
    escapeField(facts.zoneId),
    textsField(facts.areaIds),
    escapeField(facts.spaceId),
    escapeField(facts.objectId),
    facts.sourceKind,
    facts.channel,
    maybeField(facts.amount),
    facts.vehicle,
    facts.vehicleType,
    maybeField(facts.vehicleLength),
    textsField(facts.propulsion),
    escapeField(facts.purpose),
    textsField(facts.blockedLanes),
    numberText(start?.lon ?? NaN),
    numberText(start?.lat ?? NaN),
    numberText(end?.lon ?? NaN),
    numberText(end?.lat ?? NaN),
    textsField(problems.toSorted()),
  ].join('\t')
  return { line, digest: hashText(line), hasAmount: facts.amount !== null, isDeleted: false }
}

/** A row that withdraws a stored session. */
export const withdrawnRow = (lane: string, fromTime: number, sessionId: string): SessionRow => ({
  line: [
    escapeField(lane),
    timeText(fromTime),
    escapeField(sessionId),
    ...Array.from(
      { length: sessionColumns.length - 7 },
      (_, index) => emptyFields[sessionColumns[index + 4] ?? ''] ?? '',
    ),
  ].join('\t'),
  digest: 0,
  hasAmount: false,
  isDeleted: true,
})

/** Rows of `curb_sessions`. */
export const sessionLines = (regionId: string, rows: readonly SessionRow[], version: bigint): Buffer =>
  encodeLines(
    rows,
    ({ line, digest, isDeleted }) =>
      `${escapeField(regionId)}\t${line}\t${digest}\t${isDeleted ? 1 : 0}\t${version}\n`,
  )
