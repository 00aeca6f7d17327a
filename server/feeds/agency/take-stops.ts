import { setImmediate as nextTurn } from 'node:timers/promises'
import { regionScope } from '#server/identity/scope.ts'
import type { MdsVersion } from '#server/ingest/mds/mds-context.ts'
import { isItem } from '#server/ingest/mds/fields.ts'
import { readMdsItem } from '#server/ingest/mds/read-mds-item.ts'
import { noRecords } from '#server/mobility/fleet/feed-records.ts'
import { type Agency, type Push, contextOf } from './agency.ts'
import { joinRecords } from './join-records.ts'
import { storedObject } from './stored-object.ts'
import { failureOf, type PushedItem, refuse } from './pushed-item.ts'
import type { PushQueue, Turn } from './push-queue.ts'
import { readPushedItems } from './read-pushed-items.ts'
import { type KnownStop, knownStops } from './queries/known-stops.ts'
import { isMds1Stop, mds2StopChange, stopAnswer } from './stop-answer.ts'

interface Taking {
  version: MdsVersion
  isNew: boolean
  /** Nothing is stored where one item is wrong: MDS 1.2 has no answer by item. */
  isAtomic: boolean
}

/** What of a stop may be changed, beside its time (MDS 2.0, and 1.2's). */
const mutable = [
  'status',
  'rental_methods',
  'num_vehicles_available',
  'num_vehicles_disabled',
  'num_places_available',
  'num_places_disabled',
  'devices',
  'num_spots_disabled',
]

/** Items that are decided before others are served in between. */
const atOnce = 500

/**
 * A stop with what changes of it. It is kept as the version wrote it that registered it, until the operator goes over to 2.0. Of two
 * changes of one moment the one that came last counts; one that is older than what is known changes nothing.
 */
function changed(stored: KnownStop, change: unknown, push: Push, version: MdsVersion): PushedItem {
  const reported = isItem(change) ? change : {}
  const before = storedObject(stored.attributes)
  const changes = Object.fromEntries(Object.entries(reported).filter(([key]) => mutable.includes(key)))
  const newer = stopAnswer(before)
  const isMds1 = version === '1.2' && isMds1Stop(before)
  // 1.2 does not tell when a stop changed: when it was told counts.
  const time = version === '1.2' ? push.received : reported['last_updated']
  const merged = isMds1
    ? { ...before, ...changes, last_reported: time }
    : { ...newer, ...(version === '1.2' ? mds2StopChange(changes) : changes), last_updated: time }
  const { records, faults } = readMdsItem(isMds1 ? '1.2' : '2.0', 'stop', merged, {
    ...contextOf(push),
    providerId: '',
  })
  if (faults.length) return { item: change, records, failure: failureOf(faults) }
  const isOlder = version === '2.0' && Number(time) < Number(newer['last_updated'])
  const stops = isOlder
    ? []
    : records.stops.map((stop) => ({ ...stop, lastUpdated: Math.max(stop.lastUpdated, stored.at + 1) }))
  return { item: change, records: { ...records, stops }, failure: null }
}

async function decide(
  items: PushedItem[],
  push: Push,
  known: ReadonlyMap<string, KnownStop>,
  turn: Turn,
  { version, isNew }: Taking,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % atOnce === 0) await nextTurn()
    const stop = item.records.stops[0]
    if (!stop) continue
    const stored = turn.stops.get(stop.stopId) ?? known.get(stop.stopId)
    if ((stored !== undefined) === isNew) refuse(item, isNew ? 'stop_known' : 'stop_unknown', stop.stopId)
    else if (stored !== undefined) items[index] = changed(stored, item.item, push, version)
    const accepted = items[index]?.records.stops[0]
    if (accepted)
      turn.stops.set(accepted.stopId, { attributes: accepted.attributes, at: accepted.lastUpdated })
  }
}

/** Registers stops, or changes registered ones. Answers what became of each, once it is stored. */
export async function takeStops(
  agency: Agency,
  queue: PushQueue,
  push: Push,
  list: readonly unknown[],
  taking: Taking,
): Promise<PushedItem[]> {
  const { organizationId, regionId, operator } = push.pusher
  const items = await readPushedItems(
    taking.version,
    taking.isNew ? 'stop' : 'stop_change',
    list,
    push,
    'stops',
  )
  await queue.push(push.pusher, 'stops', push.received, async (turn) => {
    const ids = items.flatMap(({ records }) => records.stops.map(({ stopId }) => stopId))
    const known = ids.length
      ? await knownStops(agency.facts, regionScope(organizationId, regionId), regionId, operator, ids)
      : new Map<string, KnownStop>()
    // A push that is refused as a whole must leave nothing behind for the next one of its turn.
    const own: Turn = taking.isAtomic ? { vehicles: turn.vehicles, stops: new Map(turn.stops) } : turn
    await decide(items, push, known, own, taking)
    const isRefused = taking.isAtomic && items.some(({ failure }) => failure)
    if (!isRefused) for (const [id, stop] of own.stops) turn.stops.set(id, stop)
    return joinRecords(
      items.map(({ records }) => (isRefused ? { ...noRecords(), findings: records.findings } : records)),
    )
  })
  return items
}
