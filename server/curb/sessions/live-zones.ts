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
import type { CurbSessions } from './open-curb-sessions.ts'
import { zoneLabel } from '../store/zone-label.ts'
import { stayRule } from './stay-rules.ts'
import { maxOpenMs } from './derive-lane.ts'

interface Sources {
  state: State
  facts: Facts
  indexes: CurbIndexes
}
interface Place {
  scope: Scope
  regionId: string
}

/** A source that was not heard of for so long is gone; one that is silent for a day is offline. */
const forgottenMs = 7 * 86_400_000

/** Which kind says how many vehicles are at a zone, the best first. Others know of their own vehicles only. */
const measuring: readonly SourceKind[] = ['sensor', 'camera', 'survey']

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

/** Spaces of a zone that are taken, free and unknown. */
export function spacesOf(
  capacity: number | null,
  open: number,
  { sources, online }: { sources: number; online: number },
): { occupied: number; free: number | null; unknown: number | null } {
  if (capacity === null) return { occupied: open, free: null, unknown: null }
  const occupied = Math.min(open, capacity)
  const left = capacity - occupied
  const share = sources ? online / sources : 0
  // Less than half of the sources: what is left may be taken.
  const unknown = share < 0.5 ? left : Math.min(left, Math.round(capacity * (1 - share)))
  return { occupied, free: left - unknown, unknown }
}

/** Sessions that last longer than allowed; null where no maximum stay applies to any of them. */
function overTime(index: CurbIndex, zoneId: string, open: readonly OpenRow[], now: number): number | null {
  const limits = open.flatMap(({ start_ms, vehicle_type, propulsion, purpose }) => {
    const start = Number(start_ms)
    const rule = stayRule(index, { zoneId, vehicleType: vehicle_type, propulsion, purpose, start })
    return rule?.maxStay == null ? [] : [start + rule.maxStay * 60_000]
  })
  return limits.length ? limits.filter((limit) => limit < now).length : null
}

function byZone<Row extends { zone: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const zones = new Map<string, Row[]>()
  for (const row of rows) {
    const list = zones.get(row.zone)
    if (list) list.push(row)
    else zones.set(row.zone, [row])
  }
  return zones
}

/** The zones of a region as they are at `now` (ms), by id. */
async function readLive(
  { facts, indexes }: Sources,
  { scope, regionId }: Place,
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
  const openIn = byZone(open)
  const sourcesIn = byZone(sources)
  for (const zoneId of new Set([...capacities.keys(), ...openIn.keys(), ...sourcesIn.keys()])) {
    const openHere = openIn.get(zoneId) ?? []
    const sourcesHere = sourcesIn.get(zoneId) ?? []
    const kinds = new Set([...openHere, ...sourcesHere].map(({ source_kind }) => source_kind))
    const source = measuring.find((kind) => kinds.has(kind)) ?? [...kinds][0] ?? null
    const watching = sourcesHere.find(({ source_kind }) => source_kind === source)
    const count = { sources: Number(watching?.sources ?? 0), online: Number(watching?.online ?? 0) }
    const capacity = capacities.get(zoneId) ?? null
    const present = openHere.filter(({ source_kind }) => source_kind === source)
    const vehicles = new Set(present.map(({ place }) => place)).size
    zones.set(zoneId, {
      curb_zone_id: zoneId,
      capacity,
      ...spacesOf(capacity, vehicles, count),
      over_time: overTime(index, zoneId, present, now),
      ...count,
      source,
    })
  }
  return zones
}

async function readCapacities(
  { state }: Sources,
  { scope, regionId }: Place,
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

/** All zones in force of a region with their places and their state at a time. */
export async function readCurbActivity(sources: Sources, place: Place, at: Date): Promise<LiveCurbActivity> {
  const [zones, capacities] = await Promise.all([
    sources.state
      .as(place.scope)
      .selectFrom('curb_zone')
      .select(['curb_zone_id', 'street_name', 'street_side', 'geometry', 'record'])
      .where('region_id', '=', place.regionId)
      .where('start_time', '<=', at)
      .where((is) => is.or([is('end_time', 'is', null), is('end_time', '>', at)]))
      .orderBy('curb_zone_id')
      .execute(),
    readCapacities(sources, place, at),
  ])
  const live = await readLive(sources, place, capacities, at.getTime())
  const nameOf = ({ record, street_name, street_side, curb_zone_id }: (typeof zones)[number]): string =>
    zoneLabel({ id: curb_zone_id, streetName: street_name, side: street_side, record })
  const byName = zones
    .map((row) => ({ row, name: nameOf(row) }))
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

/** How often changes are gathered and connections checked, ms. */
const pace = { gather: 1000, heartbeat: 15_000 }

/** Changes of a region's zones as server-sent events. Every 15 s the permission is checked again, and zones with sources that fell silent are sent. */
export function curbStream({
  sources,
  place,
  sessions,
  now,
  canView,
  signal,
}: {
  sources: Sources
  place: Place
  sessions: Pick<CurbSessions, 'watch'>
  now: () => Date
  canView: () => Promise<boolean>
  signal: AbortSignal
}): Readable {
  const stream = new Readable({ read() {} })
  let known = new Map<string, string>()
  let isFirst = true
  let timer: NodeJS.Timeout | null = null
  const send = (name: string, data: unknown): void => {
    if (!stream.destroyed) stream.push(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  }
  const flush = async (): Promise<void> => {
    timer = null
    const at = now()
    const zones = await readLive(sources, place, await readCapacities(sources, place, at), at.getTime())
    const texts = new Map([...zones].map(([id, zone]) => [id, JSON.stringify(zone)]))
    const changed = [...zones.values()].filter(
      (zone) => texts.get(zone.curb_zone_id) !== known.get(zone.curb_zone_id),
    )
    known = texts
    if (changed.length && !isFirst) send('zones', changed)
    isFirst = false
  }
  const runFlush = (): void => void flush().catch(() => stream.destroy())
  const schedule = (): void => {
    timer ??= setTimeout(runFlush, pace.gather)
  }
  const heartbeat = setInterval(() => {
    void canView()
      .catch(() => false)
      .then((isAllowed) => {
        if (!isAllowed) return void stream.push(null)
        if (!stream.destroyed) stream.push(': \n\n')
        schedule()
      })
  }, pace.heartbeat)
  const stopWatching = sessions.watch((regionId) => {
    if (regionId === place.regionId) schedule()
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
  runFlush()
  return stream
}
