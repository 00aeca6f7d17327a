import { setImmediate as nextTurn } from 'node:timers/promises'
import { regionScope } from '#server/identity/scope.ts'
import type { MdsVersion } from '../mds/mds-context.ts'
import { isItem } from '../mds/fields.ts'
import { readMdsItem } from '../mds/read-mds-item.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import { type Agency, type Push, contextOf } from './agency.ts'
import { joinRecords } from './join-records.ts'
import { storedObject } from './stored-object.ts'
import { failureOf, type PushedItem, refuse } from './pushed-item.ts'
import type { PushQueue, PushBatch } from './push-queue.ts'
import { readPushedItems } from './read-pushed-items.ts'
import { type KnownStop, knownStops } from './queries/known-stops.ts'
import { isMds1Stop, mds2StopChange, stopAnswer } from './stop-answer.ts'

interface RegisterOptions {
  version: MdsVersion
  isNew: boolean
  /** Whether nothing is stored if one item is invalid: MDS 1.2 has no result per item. */
  isAtomic: boolean
}

/** The fields of a stop that may change, besides its time (MDS 2.0, and those of 1.2). */
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

/** Items that are decided before other work gets a turn. */
const itemsPerTurn = 500

/**
 * A stop with a change applied. It is stored in the form of the version that registered it, until the operator switches to 2.0. Of two
 * changes of one moment the last one counts; one older than the stored version changes nothing.
 */
function changed(stored: KnownStop, change: unknown, push: Push, version: MdsVersion): PushedItem {
  const reported = isItem(change) ? change : {}
  const before = storedObject(stored.attributes)
  const changes = Object.fromEntries(Object.entries(reported).filter(([key]) => mutable.includes(key)))
  const newer = stopAnswer(before)
  const isMds1 = version === '1.2' && isMds1Stop(before)
  // 1.2 has no time of change, so the time of receipt counts.
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
  turn: PushBatch,
  { version, isNew }: RegisterOptions,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % itemsPerTurn === 0) await nextTurn()
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

/** Registers stops or changes registered ones. Returns the result of each once they are stored. */
export async function registerStops(
  agency: Agency,
  queue: PushQueue,
  push: Push,
  list: readonly unknown[],
  taking: RegisterOptions,
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
    // A push that is refused as a whole must leave nothing for the next one of its batch.
    const own: PushBatch = taking.isAtomic ? { vehicles: turn.vehicles, stops: new Map(turn.stops) } : turn
    await decide(items, push, known, own, taking)
    const isRefused = taking.isAtomic && items.some(({ failure }) => failure)
    if (!isRefused) for (const [id, stop] of own.stops) turn.stops.set(id, stop)
    return joinRecords(
      items.map(({ records }) => (isRefused ? { ...noRecords(), findings: records.findings } : records)),
    )
  })
  return items
}
