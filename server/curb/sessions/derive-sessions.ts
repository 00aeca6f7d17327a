import { groupBy } from '#contract/group-by.ts'
import { dayFromNumber, dayNumber, hourMs, type LocalDay, localDay } from '#contract/period.ts'
import type { CdsEventType, SourceKind } from '#contract/cds-events.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { isSessionLane } from './curb-event.ts'
import { deriveLane, type LaneEvent, type LaneSession, maxOpenMs, startSession } from './derive-lane.ts'
import {
  type BatchSpan,
  dirtyLanesSql,
  eventDaysSql,
  laneEventsSql,
  laneSessionsSql,
} from './queries/sessions.ts'
import {
  sessionColumns,
  toSessionLines,
  type SessionRow,
  toSessionRow,
  toDeletionRow,
} from './session-rows.ts'

/** A return to a zone within this time after a stay may be too early, so the sums of its day change too. */
const returnMs = 6 * hourMs
/** Number of lanes with events in memory at once. */
const lanesAtOnce = 2000
const queryOptions = { limits: { seconds: 300, memory: 4 * 2 ** 30 } }

interface EventRow {
  lane: string
  event_id: string
  event_type: CdsEventType
  time: string
  zone_id: string
  area_ids: string[]
  space_id: string
  object_id: string
  source_kind: SourceKind
  session_key: string
  vehicle: string
  vehicle_type: string
  vehicle_length: number | null
  propulsion: string[]
  purpose: string
  longitude: number | null
  latitude: number | null
  amount_text: string | null
  channel: string
  blocked_lanes: string[]
}

interface StoredSession {
  lane: string
  session_id: string
  from_ms: string
  closed_ms: string | null
  start_event: string
  end_ms: string | null
  digest: number
}

const readEvent = (row: EventRow): LaneEvent => ({
  eventId: row.event_id,
  type: row.event_type,
  time: Number(row.time),
  zoneId: row.zone_id,
  areaIds: row.area_ids,
  spaceId: row.space_id,
  objectId: row.object_id,
  sourceKind: row.source_kind,
  sessionKey: row.session_key,
  vehicle: row.vehicle,
  vehicleType: row.vehicle_type,
  vehicleLength: row.vehicle_length,
  propulsion: row.propulsion,
  purpose: row.purpose,
  lon: row.longitude ?? NaN,
  lat: row.latitude ?? NaN,
  amount: row.amount_text === null ? null : Number(row.amount_text),
  channel: row.channel,
  blockedLanes: row.blocked_lanes,
})

/** Returns the time from which to derive a lane again, and the stored sessions that are open then. */
function planLane(
  lane: string,
  since: number,
  stored: readonly StoredSession[],
): { since: number; open: StoredSession[] } {
  const findOpenAt = (time: number): StoredSession[] =>
    stored.filter(
      ({ from_ms, closed_ms }) => Number(from_ms) < time && (closed_ms === null || Number(closed_ms) >= time),
    )
  if (!isSessionLane(lane)) return { since, open: findOpenAt(since) }
  // A lane with a session id has one session, and all its events are needed: start before the first of them.
  let from = since
  for (let open = findOpenAt(from); open.length; open = findOpenAt(from))
    from = Math.min(...open.map(({ from_ms }) => Number(from_ms)))
  return { since: from, open: [] }
}

/** Changes of a lane, and the times (ms) with sums that may change. */
interface LaneChanges {
  rows: SessionRow[]
  spans: (readonly [from: number, until: number])[]
}

/** Finds the rows of a lane to write: new and changed sessions, and withdrawals of those that are gone. */
function findChangedRows(
  lane: string,
  since: number,
  events: readonly LaneEvent[],
  stored: readonly StoredSession[],
): LaneChanges {
  const plan = planLane(lane, since, stored)
  const eventsById = new Map(events.map((event) => [event.eventId, event]))
  const open = plan.open
    .map(({ start_event }) => eventsById.get(start_event))
    .filter((event) => event !== undefined)
    .toSorted((a, b) => a.time - b.time || (a.eventId < b.eventId ? -1 : 1))
    .map(startSession)
  const eventsSince = events.filter(({ time }) => time >= plan.since)
  const sessions = deriveLane(lane, eventsSince, open)
  const { rows, spans }: LaneChanges = { rows: [], spans: [] }
  const makeSessionId = (fromTime: number, id: string): string => `${fromTime} ${id}`
  const remaining = new Map(stored.map((row) => [makeSessionId(Number(row.from_ms), row.session_id), row]))
  const addSpan = (from: number, until: number | null): void => {
    spans.push([from, Math.max(from, until ?? from + maxOpenMs) + returnMs])
  }
  const addStoredSpan = ({ from_ms, end_ms }: StoredSession): void =>
    addSpan(Number(from_ms), end_ms === null ? null : Number(end_ms))
  for (const session of sessions) {
    const key = makeSessionId(session.fromTime, session.key)
    const storedSession = remaining.get(key)
    remaining.delete(key)
    const row = toSessionRow(lane, session)
    if (storedSession?.digest === row.digest) continue
    rows.push(row)
    addSpan(getSessionStart(session), session.end?.time ?? null)
    if (storedSession) addStoredSpan(storedSession)
  }
  const openSessions = new Set(plan.open)
  for (const storedSession of remaining.values()) {
    const from = Number(storedSession.from_ms)
    if (from < plan.since && !openSessions.has(storedSession)) continue
    rows.push(toDeletionRow(lane, from, storedSession.session_id))
    addStoredSpan(storedSession)
  }
  return { rows, spans }
}

const getSessionStart = ({ start, fromTime }: LaneSession): number =>
  Math.min(start?.time ?? fromTime, fromTime)

const groupByLane = <Row extends { lane: string }>(rows: readonly Row[]): Map<string, Row[]> =>
  groupBy(rows, ({ lane }) => lane)

/** A session marks at most this many days as changed. */
const maxDays = 40

/** Adds the local days of a time span. */
function addDays(days: Set<LocalDay>, from: number, until: number, timezone: string): void {
  const firstDay = dayNumber(localDay(new Date(from), timezone))
  const lastDay = dayNumber(localDay(new Date(until), timezone))
  for (let day = firstDay; day <= Math.min(lastDay, firstDay + maxDays); day++) days.add(dayFromNumber(day))
}

/** What is derived: sessions of a region in a version. */
interface Derivation {
  regionId: string
  timezone: string
  version: bigint
}

/**
 * Derives the sessions of the lanes that batches changed, each lane from its first change on. Writes only
 * rows that differ. The result depends on the events only, not on the order in which they arrived. Returns
 * the local days with sums that may have changed, and whether payments may have changed.
 */
export async function deriveSessions(
  facts: Facts,
  scope: Scope,
  { regionId, timezone, version }: Derivation,
  batches: readonly BatchSpan[],
): Promise<{ days: Set<LocalDay>; hasPayments: boolean }> {
  const lanes = await facts.rows<DirtyLane>(scope, dirtyLanesSql(regionId, batches), queryOptions)
  const daysQuery = eventDaysSql(regionId, batches, timezone)
  const eventDayRows = await facts.rows<{ day: LocalDay }>(scope, daysQuery, queryOptions)
  const days = new Set(eventDayRows.map(({ day }) => day))
  let hasPayments = false
  for (let from = 0; from < lanes.length; from += lanesAtOnce) {
    const laneChanges = await deriveLanes(facts, scope, regionId, lanes.slice(from, from + lanesAtOnce))
    const rows = laneChanges.flatMap((lane) => lane.rows)
    hasPayments ||= rows.some((row) => row.hasAmount || row.isDeleted)
    for (const [first, last] of laneChanges.flatMap((lane) => lane.spans))
      addDays(days, first, last, timezone)
    const lines = toSessionLines(regionId, rows, version)
    if (rows.length)
      await facts.insert(scope, 'curb_sessions', {
        columns: sessionColumns,
        regionId,
        lines,
        areDistinct: true,
      })
  }
  return { days, hasPayments }
}

/** A lane and the time (ms) of its first change. */
interface DirtyLane {
  lane: string
  since: string
}

/** Derives some lanes. Returns the changes of each. */
async function deriveLanes(
  facts: Facts,
  scope: Scope,
  regionId: string,
  dirty: readonly DirtyLane[],
): Promise<LaneChanges[]> {
  const lanes = dirty.map(({ lane }) => lane)
  const since = Math.min(...dirty.map((dirtyLane) => Number(dirtyLane.since)))
  const storedSessions = groupByLane(
    await facts.rows<StoredSession>(scope, laneSessionsSql(regionId, lanes, since), queryOptions),
  )
  const firstEvents = dirty.map((dirtyLane) => {
    const plan = planLane(dirtyLane.lane, Number(dirtyLane.since), storedSessions.get(dirtyLane.lane) ?? [])
    return Math.min(plan.since, ...plan.open.map(({ from_ms }) => Number(from_ms)))
  })
  const firstEvent = Math.min(since, ...firstEvents)
  const events = groupByLane(
    await facts.rows<EventRow>(scope, laneEventsSql(regionId, lanes, firstEvent), queryOptions),
  )
  return dirty.map(({ lane, since: laneSince }) =>
    findChangedRows(
      lane,
      Number(laneSince),
      (events.get(lane) ?? []).map(readEvent),
      storedSessions.get(lane) ?? [],
    ),
  )
}
