import { setImmediate as nextTurn } from 'node:timers/promises'
import { regionScope } from '#server/identity/scope.ts'
import { noRecords, joinRecords } from '#server/fleet/events/feed-records.ts'
import type { MdsVersion } from '../mds/mds-context.ts'
import { isItem } from '../mds/fields.ts'
import { readMdsItem } from '../mds/read-mds-item.ts'
import { type Agency, type Push, createPushContext } from './agency.ts'
import { parseStoredObject } from './stored-object.ts'
import { toFailure, type PushedItem, reject } from './pushed-item.ts'
import type { PushQueue, PushBatch } from './push-queue.ts'
import { readPushedItems } from './read-pushed-items.ts'
import { type KnownStop, findStops } from './queries/known-stops.ts'
import { isMds1Stop, toMds2StopChange, toMds2Stop } from './stop-response.ts'

interface RegisterOptions {
  list: readonly unknown[]
  version: MdsVersion
  /** Whether the stops are registered; otherwise registered ones are changed. */
  isNew: boolean
  /** Whether nothing is stored if any item is invalid, because MDS 1.2 has no result per item. */
  isAtomic: boolean
}

/** The fields of a stop that may change, of both versions, besides its time. */
const mutableFields = [
  'status',
  'rental_methods',
  'num_vehicles_available',
  'num_vehicles_disabled',
  'num_places_available',
  'num_places_disabled',
  'devices',
  'num_spots_disabled',
]

/** The number of items that are processed before other work gets a turn. */
const itemsPerTurn = 500

/**
 * Applies a change to a stored stop. The stop retains the MDS version that it was registered in until the
 * operator switches to 2.0. Of two changes with the same time the last one counts; a change older than the
 * stored version has no effect.
 */
function applyChange(stored: KnownStop, change: unknown, push: Push, version: MdsVersion): PushedItem {
  const reportedFields = isItem(change) ? change : {}
  const previous = parseStoredObject(stored.attributes)
  const changes = Object.fromEntries(
    Object.entries(reportedFields).filter(([key]) => mutableFields.includes(key)),
  )
  const previousMds2 = toMds2Stop(previous)
  const isMds1 = version === '1.2' && isMds1Stop(previous)
  // A change in 1.2 has no time, so the time of receipt is used.
  const time = version === '1.2' ? push.received : reportedFields['last_updated']
  const merged = isMds1
    ? { ...previous, ...changes, last_reported: time }
    : { ...previousMds2, ...(version === '1.2' ? toMds2StopChange(changes) : changes), last_updated: time }
  const { records, errors } = readMdsItem(merged, {
    version: isMds1 ? '1.2' : '2.0',
    kind: 'stop',
    context: { ...createPushContext(push), providerId: '' },
  })
  if (errors.length) return { item: change, records, failure: toFailure(errors) }
  const isOlder = version === '2.0' && Number(time) < Number(previousMds2['last_updated'])
  // Later versions of a stop must have later times, also if their clocks disagree.
  const stops = isOlder
    ? []
    : records.stops.map((stop) => ({
        ...stop,
        lastUpdated: Math.max(stop.lastUpdated, stored.versionTime + 1),
      }))
  return { item: change, records: { ...records, stops }, failure: null }
}

/** Decides each item: rejects it or applies it to the stored stop, and adds the result to `batch`. */
async function decideItems(
  items: PushedItem[],
  batch: PushBatch,
  knownStops: ReadonlyMap<string, KnownStop>,
  { push, version, isNew }: Pick<RegisterOptions, 'version' | 'isNew'> & { push: Push },
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % itemsPerTurn === 0) await nextTurn()
    const stop = item.records.stops[0]
    if (!stop) continue
    const stored = batch.stops.get(stop.stopId) ?? knownStops.get(stop.stopId)
    if ((stored !== undefined) === isNew) reject(item, isNew ? 'stop_known' : 'stop_unknown', stop.stopId)
    else if (stored !== undefined) items[index] = applyChange(stored, item.item, push, version)
    const accepted = items[index]?.records.stops[0]
    if (accepted)
      batch.stops.set(accepted.stopId, { attributes: accepted.attributes, versionTime: accepted.lastUpdated })
  }
}

/** Registers stops or changes registered ones. Resolves with the result of each when they are stored. */
export async function registerStops(
  agency: Agency,
  queue: PushQueue,
  push: Push,
  { list, version, isNew, isAtomic }: RegisterOptions,
): Promise<PushedItem[]> {
  const { organizationId, regionId, operator } = push.pusher
  const items = await readPushedItems(list, {
    version,
    kind: isNew ? 'stop' : 'stop_change',
    push,
    name: 'stops',
  })
  await queue.push(push.pusher, 'stops', push.received, async (batch) => {
    const ids = items.flatMap(({ records }) => records.stops.map(({ stopId }) => stopId))
    const knownStops = ids.length
      ? await findStops(agency.facts, regionScope(organizationId, regionId), { regionId, operator, ids })
      : new Map<string, KnownStop>()
    // An atomic push works on a copy, so that a rejected one does not affect the next push of the batch.
    const workingBatch: PushBatch = isAtomic
      ? { vehicles: batch.vehicles, stops: new Map(batch.stops) }
      : batch
    await decideItems(items, workingBatch, knownStops, { push, version, isNew })
    const isRejected = isAtomic && items.some(({ failure }) => failure)
    if (!isRejected) for (const [id, stop] of workingBatch.stops) batch.stops.set(id, stop)
    return joinRecords(
      items.map(({ records }) => (isRejected ? { ...noRecords(), findings: records.findings } : records)),
    )
  })
  return items
}
