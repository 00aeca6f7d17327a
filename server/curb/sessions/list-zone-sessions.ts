import { startOfDay, endOfDay } from '#contract/civil-clock.ts'
import type { CurbSession } from '#contract/curb-sessions.ts'
import type { SourceKind } from '#contract/cds-events.ts'
import { type LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import { maxOpenMs } from './derive-lane.ts'
import { stateMs } from './queries/sessions.ts'

/** Sessions in a response. */
const maxSessions = 5000

interface ZoneSessionRow {
  session_id: string
  start_ms: string | null
  end_ms: string | null
  closed_ms: string | null
  space_id: string
  source_kind: SourceKind
  vehicle_type: string
  purpose: string
  amount_text: string | null
  blocked_lanes: string[]
  problems: string[]
}

const toIso = (ms: string | null): string | null => (ms === null ? null : new Date(Number(ms)).toISOString())

/** Lists the sessions of a zone that overlap a local day, in order of their start. */
export async function listCurbZoneSessions(
  facts: Facts,
  { scope, regionId, timezone }: { scope: Scope; regionId: string; timezone: string },
  { zoneId, date, at }: { zoneId: string; date: LocalDay; at: Date },
): Promise<{ date: LocalDay; from: string; until: string; items: CurbSession[] }> {
  const from = startOfDay(date, timezone)
  const until = endOfDay(date, timezone)
  const rows = await facts.rows<ZoneSessionRow>(
    scope,
    sql`
    select
      session_id,
      toString(toUnixTimestamp64Milli(start_time)) as start_ms,
      toString(toUnixTimestamp64Milli(end_time)) as end_ms,
      toString(toUnixTimestamp64Milli(closed_time)) as closed_ms,
      space_id,
      source_kind,
      vehicle_type,
      purpose,
      toString(amount) as amount_text,
      blocked_lanes,
      problems
    from ${latest('curb_sessions')}
    where region_id = ${bind('String', regionId)}
      and zone_id = ${bind('String', zoneId)}
      and type = 'parking'
      and from_time >= ${toDateTime(from - stateMs)}
      and from_time < ${toDateTime(until)}
      and (
        from_time >= ${toDateTime(from)}
        or end_time > ${toDateTime(from)}
        or (end_time is null and closed_time is null and from_time >= ${toDateTime(from - maxOpenMs)})
      )
    order by from_time, session_id
    limit ${bind('UInt32', maxSessions)}`,
  )
  return {
    date,
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
    items: rows.map((row) => ({
      session_id: row.session_id,
      start: toIso(row.start_ms),
      end: toIso(row.end_ms),
      is_open:
        row.start_ms !== null &&
        row.end_ms === null &&
        row.closed_ms === null &&
        Number(row.start_ms) >= at.getTime() - maxOpenMs,
      space_id: row.space_id,
      source: row.source_kind,
      vehicle_type: row.vehicle_type,
      purpose: row.purpose,
      amount: row.amount_text === null ? null : Number(row.amount_text),
      double_parked: row.blocked_lanes.some((lane) => lane !== 'parking'),
      problems: row.problems,
    })),
  }
}
