import { expect, test } from 'vitest'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import { removeUnregistered } from './reread-raw.ts'

const makeEvent = (deviceId: string) => ({
  operator: 'swift',
  deviceId,
  eventId: deviceId,
  time: 1,
  state: 'available' as const,
  types: [],
  tripIds: [],
  lon: 0,
  lat: 0,
  accuracy: NaN,
  battery: NaN,
  published: 0,
})
const feed = { organizationId: 'o', regionId: 'r', operator: 'swift', feedId: 'f' }
const fleetIngest = {
  findRegistered: async (...of: unknown[]) =>
    of.slice(0, 3).join() === 'o,r,swift' ? new Set(['known']) : new Set<string>(),
}
const records = () => ({ ...noRecords(), events: [makeEvent('known'), makeEvent('unknown')] })
const filterRecords = (kind: 'mds_agency' | 'mds_provider') =>
  removeUnregistered({ fleetIngest } as never, { kind, feed } as never, records())

test('removeUnregistered removes pushed records of unregistered vehicles', async () =>
  expect((await filterRecords('mds_agency')).events.map(({ deviceId }) => deviceId)).toEqual(['known']))
test('removeUnregistered retains pulled records of unregistered vehicles', async () =>
  expect((await filterRecords('mds_provider')).events).toHaveLength(2))
