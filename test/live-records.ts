import { type FeedRecords, noRecords, type VehicleEvent } from '#server/fleet/events/feed-records.ts'
import type { FeedBatch } from '#server/fleet/events/fleet-ingest.ts'
import type { LiveVehicle } from '#server/live/live-vehicle.ts'
import { testUuid } from './uuid.ts'

/** The current time of the tests, ms. */
export const testTime = Date.UTC(2026, 2, 8, 12)

export const makeEvent = (changes: Partial<VehicleEvent>): VehicleEvent => ({
  operator: 'one',
  deviceId: testUuid(1),
  eventId: testUuid(11),
  time: testTime,
  state: 'available',
  types: ['trip_end'],
  tripIds: [],
  lon: -75,
  lat: 37,
  accuracy: NaN,
  battery: 50,
  published: 0,
  ...changes,
})

export const makeBatch = (records: Partial<FeedRecords>, received = testTime): FeedBatch => ({
  organizationId: 'o',
  regionId: 'r',
  operator: 'one',
  feedId: 'f',
  stream: 'events',
  windowStart: testTime,
  received,
  records: { ...noRecords(), ...records },
})

/** Makes a vehicle of a snapshot. */
export const makeVehicle = (operator: string, vehicleId: string, lon = 2): Omit<LiveVehicle, 'handle'> => ({
  operator,
  vehicleId,
  deviceId: '',
  vehicleType: 'bicycle',
  state: 'available',
  since: 1,
  seen: 1,
  lon,
  lat: 3,
  battery: NaN,
  source: 'gbfs',
})
