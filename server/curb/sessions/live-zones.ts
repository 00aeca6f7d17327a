import type { SourceKind } from '#contract/cds-events.ts'
import type { LiveCurbActivity, LiveCurbZone } from '#contract/curb-sessions.ts'
import { groupBy } from '#contract/group-by.ts'
import { dayMs, minuteMs } from '#contract/period.ts'
import type { GeometryShape } from '#contract/place.ts'
import type { z } from 'zod'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import type { CurbIndex, CurbIndexes } from '../store/curb-index.ts'
import { makeZoneLabel } from '../store/zone-label.ts'
import { findStayRule } from './stay-rules.ts'
import { maxOpenMs } from './derive-lane.ts'

export interface LiveSources {
  state: State
  facts: Facts
  indexes: CurbIndexes
}
export interface RegionKey {
  scope: Scope
  regionId: string
}

/** A source without events for this long no longer exists; it is already offline after `maxOpenMs`. */
const forgottenMs = 7 * dayMs

/** Sources that detect all vehicles at a zone, most reliable first. Others only know their own. */
const measuringKinds: readonly SourceKind[] = ['sensor', 'camera', 'survey']

interface OpenRow {
  zone: string
  source_kind: SourceKind
  place: string
  start_ms: string
  vehicle_type: string
  propulsion: string[]
  purpose: string
}
interface SourceRow {
  zone: string
  source_kind: SourceKind
  sources: string
  online: string
}

/** Counts a zone's spaces with `openCount` open sessions. The share of offline sources is unknown. */
export function countSpaces(
  capacity: number | null,
  openCount: number,
  { sources, online }: { sources: number; online: number },
): { occupied: number; free: number | null; unknown: number | null } {
  if (capacity === null) return { occupied: openCount, free: null, unknown: null }
  const occupied = Math.min(openCount, capacity)
  const remainingSpaces = capacity - occupied
  const share = sources ? online / sources : 0
  // If fewer than half of the sources are online, all spaces that are not known to be occupied are unknown.
  const unknown =
    share < 0.5 ? remainingSpaces : Math.min(remainingSpaces, Math.round(capacity * (1 - share)))
  return { occupied, free: remainingSpaces - unknown, unknown }
}

/** Counts sessions that last longer than allowed; null if no maximum stay applies to any of them. */
function countOverTime(
  index: CurbIndex,
  zoneId: string,
  openSessions: readonly OpenRow[],
  now: number,
): number | null {
  const ends = openSessions.flatMap(({ start_ms, vehicle_type, propulsion, purpose }) => {
    const start = Number(start_ms)
    const rule = findStayRule(index, { zoneId, vehicleType: vehicle_type, propulsion, purpose, start })
    return rule?.maxStay == null ? [] : [start + rule.maxStay * minuteMs]
  })
  return ends.length ? ends.filter((end) => end < now).length : null
}

const groupByZone = <Row extends { zone: string }>(rows: readonly Row[]): Map<string, Row[]> =>
  groupBy(rows, ({ zone }) => zone)

/** Reads the state of the zones of a region at an instant, by id. */
export async function readLiveZones(
  sources: LiveSources,
  region: RegionKey,
  at: Date,
): Promise<Map<string, LiveCurbZone>> {
  const now = at.getTime()
  const [capacities, index, sessions, sourceCounts] = await Promise.all([
    readCapacities(sources, region, at),
    sources.indexes.get(region.scope, region.regionId),
    readOpenSessions(sources.facts, region, now),
    countSources(sources.facts, region, now),
  ])
  const sessionsByZone = groupByZone(sessions)
  const sourcesByZone = groupByZone(sourceCounts)
  const zoneIds = new Set([...capacities.keys(), ...sessionsByZone.keys(), ...sourcesByZone.keys()])
  const zones = new Map<string, LiveCurbZone>()
  for (const zoneId of zoneIds) {
    const zoneSessions = sessionsByZone.get(zoneId) ?? []
    const zoneSources = sourcesByZone.get(zoneId) ?? []
    const kinds = new Set([...zoneSessions, ...zoneSources].map(({ source_kind }) => source_kind))
    const [anyKind = null] = kinds
    const source = measuringKinds.find((kind) => kinds.has(kind)) ?? anyKind
    const sourceRow = zoneSources.find(({ source_kind }) => source_kind === source)
    const counts = { sources: Number(sourceRow?.sources ?? 0), online: Number(sourceRow?.online ?? 0) }
    const capacity = capacities.get(zoneId) ?? null
    const sourceSessions = zoneSessions.filter(({ source_kind }) => source_kind === source)
    const vehicles = new Set(sourceSessions.map(({ place }) => place)).size
    zones.set(zoneId, {
      curb_zone_id: zoneId,
      capacity,
      ...countSpaces(capacity, vehicles, counts),
      over_time: countOverTime(index, zoneId, sourceSessions, now),
      ...counts,
      source,
    })
  }
  return zones
}

/** Reads sessions that are open at `now` (ms). */
const readOpenSessions = (facts: Facts, { scope, regionId }: RegionKey, now: number): Promise<OpenRow[]> =>
  facts.rows<OpenRow>(
    scope,
    sql`
    select
      zone_id as zone,
      source_kind,
      if(space_id = '', session_id, space_id) as place,
      toString(${toMilliseconds(sql`start_time`)}) as start_ms,
      vehicle_type,
      propulsion,
      purpose
    from ${latest('curb_sessions')}
    where region_id = ${bind('String', regionId)}
      and type = 'parking'
      and from_time >= ${toDateTime(now - maxOpenMs)}
      and from_time <= ${toDateTime(now)}
      and start_time is not null
      and end_time is null
      and closed_time is null
    limit 200000`,
  )

/** Counts sensors and cameras at `now` (ms) by zone and kind. `state` as in `sourceSpansSql`. */
const countSources = (facts: Facts, { scope, regionId }: RegionKey, now: number): Promise<SourceRow[]> =>
  facts.rows<SourceRow>(
    scope,
    sql`
    with
      devices as (
        select
          max(zone_id) as zone,
          argMax(source_kind, event_time) as kind,
          argMax(
            multiIf(
              event_type = 'decommissioned' or is_commissioned = 0, 2,
              event_type = 'comms_lost' or is_online = 0, 0,
              1
            ),
            (event_time, event_id)
          ) as state,
          state = 1 and ${toMilliseconds(sql`max(event_time)`)} >= ${bind('Int64', now - maxOpenMs)} as is_up
        from ${latest('curb_events')}
        where region_id = ${bind('String', regionId)}
          and event_time >= ${toDateTime(now - forgottenMs)}
          and event_time <= ${toDateTime(now)}
          and superseded = 0
          and source_kind in ('sensor', 'camera')
        group by device_id
      )
    select
      zone,
      kind as source_kind,
      toString(count()) as sources,
      toString(sum(is_up)) as online
    from devices
    where state != 2
    group by zone, kind`,
  )

/** Reads the number of spaces of each zone at an instant. */
async function readCapacities(
  { state }: LiveSources,
  { scope, regionId }: RegionKey,
  at: Date,
): Promise<Map<string, number>> {
  const rows = await state
    .as(scope)
    .selectFrom('curb_capacity')
    .select(['curb_zone_id', 'capacity'])
    .where('region_id', '=', regionId)
    .where('start_time', '<=', at)
    .orderBy('start_time')
    .execute()
  return new Map(rows.map((row) => [row.curb_zone_id, row.capacity]))
}

/** Reads all zones of a region in force at an instant, with their geometry and state, sorted by name. */
export async function getCurbActivity(
  sources: LiveSources,
  region: RegionKey,
  at: Date,
): Promise<LiveCurbActivity> {
  const [zones, live] = await Promise.all([
    sources.state
      .as(region.scope)
      .selectFrom('curb_zone')
      .select(['curb_zone_id', 'street_name', 'street_side', 'geometry', 'record'])
      .where('region_id', '=', region.regionId)
      .where('start_time', '<=', at)
      .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', at)]))
      .orderBy('curb_zone_id')
      .execute(),
    readLiveZones(sources, region, at),
  ])
  const toLabel = ({ record, street_name, street_side, curb_zone_id }: (typeof zones)[number]): string =>
    makeZoneLabel({ id: curb_zone_id, streetName: street_name, side: street_side, record })
  const byName = zones
    .map((row) => ({ row, name: toLabel(row) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  return {
    time: at.toISOString(),
    zones: byName.map(({ row, name }) => ({
      ...(live.get(row.curb_zone_id) ?? makeEmptyZone(row.curb_zone_id)),
      name,
      street_name: row.street_name,
      street_side: row.street_side,
      geometry: row.geometry as z.output<typeof GeometryShape>,
    })),
  }
}

/** Returns the state of a zone without sessions, sources and capacity. */
const makeEmptyZone = (zoneId: string): LiveCurbZone => ({
  curb_zone_id: zoneId,
  capacity: null,
  occupied: 0,
  free: null,
  unknown: null,
  over_time: null,
  sources: 0,
  online: 0,
  source: null,
})
