import { type FeedRecords, joinRecords } from '#server/fleet/events/feed-records.ts'
import type { MdsVersion } from '../mds/mds-context.ts'
import type { ItemKind } from '../mds/read-mds-item.ts'
import type { Agency, Push } from './agency.ts'
import { type PushedItem, reject } from './pushed-item.ts'
import type { PushQueue } from './push-queue.ts'
import { readPushedItems } from './read-pushed-items.ts'
import { findRegisteredVehicles } from './registered-vehicles.ts'

/** Returns the device id of the records of one item; '' if it has none. */
const getDeviceId = ({ events, trips, telemetry }: FeedRecords): string =>
  (events[0] ?? trips[0] ?? telemetry[0])?.deviceId ?? ''

/** Stores events, trips or telemetry of registered vehicles. Resolves with each result when stored. */
export async function storePushedFacts(
  agency: Agency,
  queue: PushQueue,
  push: Push,
  {
    list,
    version,
    kind,
    stream,
  }: { list: readonly unknown[]; version: MdsVersion; kind: ItemKind; stream: string },
): Promise<PushedItem[]> {
  const items = await readPushedItems(list, { version, kind, push, name: stream })
  await queue.push(push.pusher, stream, push.received, async () => {
    const registered = await findRegisteredVehicles(
      agency,
      push.pusher,
      items.flatMap(({ records }) => getDeviceId(records) || []),
    )
    for (const item of items) {
      const deviceId = getDeviceId(item.records)
      if (deviceId && !registered.has(deviceId)) reject(item, 'vehicle_unknown', deviceId)
    }
    return joinRecords(items.map(({ records }) => records))
  })
  return items
}
