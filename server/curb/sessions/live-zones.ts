import { Readable } from 'node:stream'
import type { SourceKind } from '#contract/cds-events.ts'
import type { LiveCurbActivity, LiveCurbZone } from '#contract/curb-sessions.ts'
import type { GeometryShape } from '#contract/place.ts'
import type { z } from 'zod'
import type { Facts } from '#server/stores/facts.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import type { CurbIndex, CurbIndexes } from '../store/curb-index.ts'
import type { CurbSessions } from './curb-sessions.ts'
import { zoneLabel } from '../store/zone-label.ts'
import { stayRule } from './stay-rules.ts'
import { maxOpenMs } from './derive-lane.ts'

interface Sources {
  state: State
  facts: Facts
  indexes: CurbIndexes
}
interface RegionKey {
  scope: Scope
  regionId: string
}

/**
 * A source without an event for this long no longer exists. Without an event for `maxOpenMs`, it is offline.
 */
const forgottenMs = 7 * 86_400_000

/**
 * The kinds of sources that detect all vehicles at a zone, the most reliable first. Other kinds only know of
 * their own vehicles.
 */
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

/**
 * Numbers of occupied, free and unknown spaces of a zone with `open` sessions. Spaces of offline sources are
 * unknown, in proportion to their share.
 */
export function countSpaces(
  capacity: number | null,
  open: number,
  { sources, online }: { sources: number; online: number },
): { occupied: number; free: number | null; unknown: number | null } {
  if (capacity === null) return { occupied: open, free: null, unknown: null }
  const occupied = Math.min(open, capacity)
  const left = capacity - occupied
  const share = sources ? online / sources : 0
  // If fewer than half of the sources are online, all spaces that are not sentTexts to be occupied are
  // unknown.
  const unknown = share < 0.5 ? left : Math.min(left, Math.round(capacity * (1 - share)))
  return { occupied, free: left - unknown, unknown }
}

/** Number of sessions that last longer than allowed. Null if no maximum stay applies to any of them. */
function countOverTime(
  index: CurbIndex,
  zoneId: string,
  open: readonly OpenRow[],
  now: number,
): number | null {
  const ends = open.flatMap(({ start_ms, vehicle_type, propulsion, purpose }) => {
    const start = Number(start_ms)
    const rule = stayRule(index, { zoneId, vehicleType: vehicle_type, propulsion, purpose, start })
    return rule?.maxStay == null ? [] : [start + rule.maxStay * 60_000]
  })
  return ends.length ? ends.filter((end) => end < now).length : null
}

function groupByZone<Row extends { zone: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const zones = new Map<string, Row[]>()
  for (const row of rows) {
    const list = zones.get(row.zone)
    if (list) list.push(row)
    else zones.set(row.zone, [row])
  }
  return zones
}

/** The state of the zones of a region at `now` (ms), by id. */
async function readLive(
  { facts, indexes }: Sources,
  { scope, regionId }: RegionKey,
  capacities: ReadonlyMap<string, number>,
  now: number,
) {
  const [index, open, sources] = await Promise.all([
    indexes.get(scope, regionId),
    facts.rows<OpenRow>(
      scope,
      sql`
      select zone_id as zone, source_kind, if(space_id = '', session_id, space_id) as place, toString(${msOf(sql`start_time`)}) as start_ms, vehicle_type, propulsion, purpose
      from ${latest('curb_sessions')}
      where region_id = ${bind('String', regionId)} and type = 'parking' and from_time >= ${instant(now - maxOpenMs)} and from_time <= ${instant(now)}
        and start_time is not null and end_time is null and closed_time is null
      limit 200000`,
    ),
    facts.rows<SourceRow>(
      scope,
      sql`
      select zone, kind as source_kind, toString(count()) as sources, toString(sum(is_up)) as online
      from (
        select max(zone_id) as zone, argMax(source_kind, event_time) as kind,
          argMax(multiIf(event_type = 'decommissioned' or is_commissioned = 0, 2, event_type = 'comms_lost' or is_online = 0, 0, 1), (event_time, event_id)) as state,
          state = 1 and ${msOf(sql`max(event_time)`)} >= ${bind('Int64', now - maxOpenMs)} as is_up
        from ${latest('curb_events')}
        where region_id = ${bind('String', regionId)} and event_time >= ${instant(now - forgottenMs)} and event_time <= ${instant(now)} and superseded = 0
          and source_kind in ('sensor', 'camera')
        group by device_id
      )
      where state != 2
      group by zone, kind`,
    ),
  ])
  const zones = new Map<string, LiveCurbZone>()
  const openByZone = groupByZone(open)
  const sourcesByZone = groupByZone(sources)
  for (const zoneId of new Set([...capacities.keys(), ...openByZone.keys(), ...sourcesByZone.keys()])) {
    const zoneSessions = openByZone.get(zoneId) ?? []
    const zoneSources = sourcesByZone.get(zoneId) ?? []
    const kinds = new Set([...zoneSessions, ...zoneSources].map(({ source_kind }) => source_kind))
    const [anyKind = null] = kinds
    const source = measuringKinds.find((kind) => kinds.has(kind)) ?? anyKind
    const chosenSources = zoneSources.find(({ source_kind }) => source_kind === source)
    const count = { sources: Number(chosenSources?.sources ?? 0), online: Number(chosenSources?.online ?? 0) }
    const capacity = capacities.get(zoneId) ?? null
    const present = zoneSessions.filter(({ source_kind }) => source_kind === source)
    const vehicles = new Set(present.map(({ place }) => place)).size
    zones.set(zoneId, {
      curb_zone_id: zoneId,
      capacity,
      ...countSpaces(capacity, vehicles, count),
      over_time: countOverTime(index, zoneId, present, now),
      ...count,
      source,
    })
  }
  return zones
}

async function readCapacities(
  { state }: Sources,
  { scope, regionId }: RegionKey,
  now: Date,
): Promise<Map<string, number>> {
  const rows = await state
    .as(scope)
    .selectFrom('curb_capacity')
    .select(['curb_zone_id', 'capacity'])
    .where('region_id', '=', regionId)
    .where('start_time', '<=', now)
    .orderBy('start_time')
    .execute()
  return new Map(rows.map((row) => [row.curb_zone_id, row.capacity]))
}

/** All zones of a region in force at an instant, with their geometry and state, sorted by name. */
export async function readCurbActivity(
  sources: Sources,
  region: RegionKey,
  at: Date,
): Promise<LiveCurbActivity> {
  const [zones, capacities] = await Promise.all([
    sources.state
      .as(region.scope)
      .selectFrom('curb_zone')
      .select(['curb_zone_id', 'street_name', 'street_side', 'geometry', 'record'])
      .where('region_id', '=', region.regionId)
      .where('start_time', '<=', at)
      .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', at)]))
      .orderBy('curb_zone_id')
      .execute(),
    readCapacities(sources, region, at),
  ])
  const live = await readLive(sources, region, capacities, at.getTime())
  const toLabel = ({ record, street_name, street_side, curb_zone_id }: (typeof zones)[number]): string =>
    zoneLabel({ id: curb_zone_id, streetName: street_name, side: street_side, record })
  const byName = zones
    .map((row) => ({ row, name: toLabel(row) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  return {
    time: at.toISOString(),
    zones: byName.map(({ row, name }) => {
      return {
        ...(live.get(row.curb_zone_id) ?? {
          curb_zone_id: row.curb_zone_id,
          capacity: null,
          occupied: 0,
          free: null,
          unknown: null,
          over_time: null,
          sources: 0,
          online: 0,
          source: null,
        }),
        name,
        street_name: row.street_name,
        street_side: row.street_side,
        geometry: row.geometry as z.output<typeof GeometryShape>,
      }
    }),
  }
}

/** Changes within this time are sent together. */
const gatherMs = 1000
/** Permissions are checked again, and silent sources looked for, at this interval. */
const heartbeatMs = 15_000

/**
 * A stream of server-sent events with the changed zones of a region. The browser loads the initial state by
 * itself, so the first state is only remembered. The stream ends when `canView` no longer allows it.
 */
export function curbStream({
  sources,
  region,
  sessions,
  now,
  canView,
  signal,
}: {
  sources: Sources
  region: RegionKey
  sessions: Pick<CurbSessions, 'watch'>
  now: () => Date
  canView: () => Promise<boolean>
  signal: AbortSignal
}): Readable {
  const stream = new Readable({ read() {} })
  let sentTexts = new Map<string, string>()
  let isFirst = true
  let timer: NodeJS.Timeout | null = null
  const send = (name: string, data: unknown): void => {
    if (!stream.destroyed) stream.push(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  }
  const sendChanges = async (): Promise<void> => {
    timer = null
    const at = now()
    const zones = await readLive(sources, region, await readCapacities(sources, region, at), at.getTime())
    const texts = new Map([...zones].map(([id, zone]) => [id, JSON.stringify(zone)]))
    const changed = [...zones.values()].filter(
      (zone) => texts.get(zone.curb_zone_id) !== sentTexts.get(zone.curb_zone_id),
    )
    sentTexts = texts
    if (changed.length && !isFirst) send('zones', changed)
    isFirst = false
  }
  const sendOrClose = (): void => void sendChanges().catch(() => stream.destroy())
  const schedule = (): void => {
    timer ??= setTimeout(sendOrClose, gatherMs)
  }
  const heartbeat = setInterval(() => {
    void canView()
      .catch(() => false)
      .then((isAllowed) => {
        if (!isAllowed) return void stream.push(null)
        if (!stream.destroyed) stream.push(': \n\n')
        schedule()
      })
  }, heartbeatMs)
  const stopWatching = sessions.watch((regionId) => {
    if (regionId === region.regionId) schedule()
  })
  const handleAbort = (): void => void stream.destroy()
  signal.addEventListener('abort', handleAbort, { once: true })
  stream.once('close', () => {
    clearInterval(heartbeat)
    if (timer) clearTimeout(timer)
    stopWatching()
    signal.removeEventListener('abort', handleAbort)
  })
  if (signal.aborted) handleAbort()
  stream.push('retry: 2000\n')
  send('hello', {})
  sendOrClose()
  return stream
}
