import type { MdsVersion } from '../mds/mds-context.ts'
import type { Agency, Push } from './agency.ts'
import { joinRecords } from '#server/fleet/events/feed-records.ts'
import { type PushedItem, reject } from './pushed-item.ts'
import type { PushQueue } from './push-queue.ts'
import { readPushedItems } from './read-pushed-items.ts'
import { findRegisteredVehicles } from './registered-vehicles.ts'

/** Registers vehicles or changes registered ones. Resolves with the result of each when they are stored. */
export async function registerVehicles(
  agency: Agency,
  queue: PushQueue,
  push: Push,
  { list, version, isNew }: { list: readonly unknown[]; version: MdsVersion; isNew: boolean },
): Promise<PushedItem[]> {
  const items = await readPushedItems(list, { version, kind: 'vehicle', push, name: 'vehicles' })
  await queue.push(push.pusher, 'vehicles', push.received, async (batch) => {
    const registered = await findRegisteredVehicles(
      agency,
      push.pusher,
      items.flatMap(({ records }) => records.vehicles[0]?.deviceId ?? []),
    )
    for (const item of items) {
      const deviceId = item.records.vehicles[0]?.deviceId
      if (!deviceId) continue
      const isKnown = batch.vehicles.has(deviceId) || registered.has(deviceId)
      if (isKnown === isNew) reject(item, isNew ? 'vehicle_known' : 'vehicle_unknown', deviceId)
      else batch.vehicles.add(deviceId)
    }
    return joinRecords(items.map(({ records }) => records))
  })
  return items
}
