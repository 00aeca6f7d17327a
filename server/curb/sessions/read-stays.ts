import type { SourceKind } from '#contract/cds-events.ts'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import { maxOpenMs } from './derive-lane.ts'
import type { CheckedSession } from './stay-rules.ts'

interface StayRow {
  session_id: string
  start_ms: string
  end_ms: string | null
  zone_id: string
  space_id: string
  source_kind: SourceKind
  vehicle: string
  vehicle_type: string
  propulsion: string[]
  purpose: string
}

/** A session to check, with the kind of its source. */
export interface ReadStay extends CheckedSession {
  source: SourceKind
}

interface StaysQuery {
  regionId: string
  /** Sessions that begin in this time span, ms, half-open. */
  from: number
  until: number
  zoneId?: string | undefined
  /** The assumed end of open sessions, ms. */
  now: number
  /** Maximum number of sessions. If there are more, the newest are returned. */
  limit: number
  /** The zone of each space, for sessions that have a space but no zone. */
  spaces?: ReadonlyMap<string, string>
}

/** Reads sessions to check, by start. Paid ones are excluded: they do not show how long vehicles stayed. */
export async function readStays(facts: Facts, scope: Scope, request: StaysQuery): Promise<ReadStay[]> {
  const { regionId, from, until, zoneId, now, limit, spaces } = request
  const zoneCondition = zoneId ? sql`and zone_id = ${bind('String', zoneId)}` : sql``
  const rows = await facts.rows<StayRow>(
    scope,
    sql`
    select
      session_id,
      toString(toUnixTimestamp64Milli(start_time)) as start_ms,
      toString(toUnixTimestamp64Milli(end_time)) as end_ms,
      zone_id,
      space_id,
      source_kind,
      vehicle,
      vehicle_type,
      propulsion,
      purpose
    from ${latest('curb_sessions')}
    where region_id = ${bind('String', regionId)}
      and type = 'parking'
      and start_time is not null
      and not has(problems, 'ends_before_start')
      and source_kind != 'payment'
      and from_time >= ${toDateTime(from)}
      and from_time < ${toDateTime(until)}
      ${zoneCondition}
      and (end_time is not null or (closed_time is null and from_time >= ${toDateTime(now - maxOpenMs)}))
    order by from_time desc, session_id desc
    limit ${bind('UInt32', limit)}`,
    { limits: { seconds: 120 } },
  )
  return rows.reverse().flatMap((row) => {
    const zone = row.zone_id || (spaces?.get(row.space_id) ?? '')
    if (!zone) return []
    return {
      sessionId: row.session_id,
      zoneId: zone,
      vehicle: row.vehicle,
      vehicleType: row.vehicle_type,
      propulsion: row.propulsion,
      purpose: row.purpose,
      start: Number(row.start_ms),
      end: row.end_ms === null ? now : Number(row.end_ms),
      isOpen: row.end_ms === null,
      source: row.source_kind,
    }
  })
}
