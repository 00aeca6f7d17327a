import { pushedKinds } from '#contract/feeds.ts'
import type { FeedRecords } from '#server/mobility/fleet/feed-records.ts'
import type { Feeds } from './feeds.ts'
import type { FeedSource } from './feed-source.ts'

/** Of what an operator pushed, what the push itself would take: facts of registered vehicles (MDS Agency). What is pulled needs no registration. */
export async function leaveUnregistered(
  { keeper }: Pick<Feeds, 'keeper'>,
  { kind, asked }: Pick<FeedSource, 'kind' | 'asked'>,
  records: FeedRecords,
): Promise<FeedRecords> {
  const { events, trips, telemetry } = records
  if (!pushedKinds.includes(kind) || !asked.operator) return records
  const told = [...new Set([...events, ...trips, ...telemetry].map(({ deviceId }) => deviceId))]
  if (!told.length) return records
  const registered = await keeper.registered(asked.organizationId, asked.regionId, asked.operator, told)
  const isRegistered = ({ deviceId }: { deviceId: string }): boolean => registered.has(deviceId)
  return {
    ...records,
    events: events.filter(isRegistered),
    trips: trips.filter(isRegistered),
    telemetry: telemetry.filter(isRegistered),
  }
}
