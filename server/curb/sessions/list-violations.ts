import { startOfDay } from '#contract/civil-clock.ts'
import type { CurbViolation } from '#contract/curb-sessions.ts'
import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import type { SourceKind } from '#contract/cds-events.ts'
import type { Facts } from '#server/stores/facts.ts'
import { instant } from '#server/stores/instant.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { maxOpenMs } from './derive-lane.ts'
import { findStayViolations } from './stay-rules.ts'

/** Sessions of one answer: findings of more are not complete, and the answer says so. */
const maxSessions = 100_000

interface Row {
  session_id: string
  start_ms: string
  end_ms: string | null
  zone_id: string
  source_kind: SourceKind
  vehicle: string
  vehicle_type: string
  propulsion: string[]
  purpose: string
}

/** Stays over the maximum and returns that are too early, of sessions that start in a period, newest first. */
export async function listCurbViolations(
  facts: Facts,
  index: CurbIndex,
  { scope, regionId, timezone }: { scope: Scope; regionId: string; timezone: string },
  { first, last, zoneId, at }: { first: LocalDay; last: LocalDay; zoneId: string | undefined; at: Date },
): Promise<{ items: CurbViolation[]; is_complete: boolean }> {
  const [from, until] = [
    startOfDay(first, timezone),
    startOfDay(dayFromNumber(dayNumber(last) + 1), timezone),
  ]
  const ofZone = zoneId ? sql`and zone_id = ${bind('String', zoneId)}` : sql``
  const rows = await facts.rows<Row>(
    scope,
    sql`
    select session_id, toString(toUnixTimestamp64Milli(start_time)) as start_ms, toString(toUnixTimestamp64Milli(end_time)) as end_ms, zone_id, source_kind, vehicle,
      vehicle_type, propulsion, purpose
    from ${latest('curb_sessions')}
    where region_id = ${bind('String', regionId)} and type = 'parking' and start_time is not null and not has(problems, 'ends_before_start')
      and from_time >= ${instant(from)} and from_time < ${instant(until)} and zone_id != '' ${ofZone}
      and (end_time is not null or (closed_time is null and from_time >= ${instant(at.getTime() - maxOpenMs)}))
    order by from_time desc, session_id desc
    limit ${bind('UInt32', maxSessions)}`,
  )
  // The newest sessions, in the order in which they began.
  rows.reverse()
  const kinds = new Map(rows.map((row) => [row.session_id, row.source_kind]))
  const violations = findStayViolations(
    index,
    rows.map((row) => ({
      sessionId: row.session_id,
      zoneId: row.zone_id,
      vehicle: row.vehicle,
      vehicleType: row.vehicle_type,
      propulsion: row.propulsion,
      purpose: row.purpose,
      start: Number(row.start_ms),
      end: row.end_ms === null ? at.getTime() : Number(row.end_ms),
      isOpen: row.end_ms === null,
    })),
  )
  return {
    is_complete: rows.length < maxSessions,
    items: violations.toReversed().map(({ kind, session, rule, limit, measuredMs, previousId }) => ({
      kind,
      session_id: session.sessionId,
      curb_zone_id: session.zoneId,
      start: new Date(session.start).toISOString(),
      end: session.isOpen ? null : new Date(session.end).toISOString(),
      vehicle_type: session.vehicleType,
      purpose: session.purpose,
      source: kinds.get(session.sessionId) ?? 'other',
      limit_minutes: limit,
      measured_seconds: Math.round(measuredMs / 1000),
      curb_policy_id: rule.policyId,
      rule: rule.rule,
      previous_session_id: previousId,
    })),
  }
}
