import { expect, test } from 'vitest'
import { LiveRegion } from './live-region.ts'
import type { LiveSnapshot, SnapshotVehicle } from './live-snapshot.ts'
import { makeBatch, makeEvent, testTime } from '../../test/live-records.ts'

const at = testTime
const hour = 3_600_000
const bike = (vehicleId: string, over: Partial<SnapshotVehicle> = {}): SnapshotVehicle => ({
  vehicleId,
  vehicleType: 'bicycle',
  lon: -75,
  lat: 37,
  battery: NaN,
  range: NaN,
  isReserved: false,
  isDisabled: false,
  lastReported: NaN,
  ...over,
})
const snapshot = (
  minutes: number,
  vehicles: SnapshotVehicle[],
  over: Partial<LiveSnapshot> = {},
): LiveSnapshot => ({
  regionId: 'r',
  operator: 'dockless',
  feedId: 'f',
  at: at + minutes * 60_000,
  vehicles,
  stations: [],
  ...over,
})
const newRegion = (): LiveRegion => new LiveRegion({ first: 0, lostAfterHours: 48 })
/** Applies a snapshot at its own time. */
const replaceSnapshot = (region: LiveRegion, snapshot: LiveSnapshot, now = snapshot.at): void =>
  region.replaceSnapshot(snapshot, now)
const shownVehicles = (region: LiveRegion) =>
  [...region.vehicles.all()].map(({ vehicleId, state, since }) => [vehicleId, state, (since - at) / 60_000])

test('SnapshotFleet replaces the previous snapshot: missing vehicles are removed, the others retain their handles', () => {
  const region = newRegion()
  replaceSnapshot(
    region,
    snapshot(0, [
      bike('a'),
      bike('b', { isReserved: true }),
      bike('c', { isDisabled: true, isReserved: true }),
    ]),
  )
  expect(shownVehicles(region)).toEqual([
    ['a', 'available', 0],
    ['b', 'reserved', 0],
    ['c', 'non_operational', 0],
  ])
  replaceSnapshot(region, snapshot(1, [bike('c', { isDisabled: true }), bike('b'), bike('d')]))
  expect([...region.vehicles.all()].map(({ handle, vehicleId }) => [handle, vehicleId])).toEqual([
    [0, 'd'],
    [1, 'b'],
    [2, 'c'],
  ])
  expect(shownVehicles(region)).toEqual([
    ['d', 'available', 1],
    ['b', 'available', 1],
    ['c', 'non_operational', 0],
  ])
  expect(
    [...region.vehicles.all()].every(({ source, deviceId }) => source === 'gbfs' && deviceId === ''),
  ).toBe(true)
})

test('SnapshotFleet ignores older snapshots, and feeds do not affect each other', () => {
  const region = newRegion()
  replaceSnapshot(region, snapshot(5, [bike('a')]))
  replaceSnapshot(region, snapshot(3, [bike('old')]))
  replaceSnapshot(region, snapshot(4, [bike('other')], { feedId: 'g', operator: 'docked' }))
  expect(shownVehicles(region).map(([id]) => id)).toEqual(['a', 'other'])
})

test('SnapshotFleet shows vehicles as lost after the feed was silent for too long, until the next snapshot', () => {
  const region = newRegion()
  replaceSnapshot(region, snapshot(0, [bike('a')]))
  region.sweep(at + 48 * hour)
  expect(shownVehicles(region)).toEqual([['a', 'lost', 0]])
  replaceSnapshot(region, snapshot(3000, [bike('a')]))
  expect(shownVehicles(region)).toEqual([['a', 'available', 3000]])
})

test('SnapshotFleet shows vehicles as lost at once if the snapshot is old when it arrives', () => {
  const region = newRegion()
  replaceSnapshot(region, snapshot(0, [bike('a')]), at + 49 * hour)
  expect(shownVehicles(region)).toEqual([['a', 'lost', 0]])
})

test('SnapshotFleet shows all operators of a file, each until a newer file contains it', () => {
  const region = newRegion()
  replaceSnapshot(region, snapshot(0, [bike('a')], { feedId: 'file:1', operator: 'spin' }))
  replaceSnapshot(region, snapshot(0, [bike('b')], { feedId: 'file:1', operator: 'veo' }))
  expect(shownVehicles(region).map(([id]) => id)).toEqual(['a', 'b'])
  replaceSnapshot(region, snapshot(9, [bike('c')], { feedId: 'file:2', operator: 'veo' }))
  expect(shownVehicles(region).map(([id]) => id)).toEqual(['a', 'c'])
})

test('SnapshotFleet hides snapshots of an operator while it has vehicles with events', () => {
  const region = newRegion()
  replaceSnapshot(region, snapshot(0, [bike('a'), bike('b')]))
  region.applyBatch(makeBatch({ events: [makeEvent({ operator: 'dockless' })] }), at)
  expect([...region.vehicles.all()].map(({ source }) => source)).toEqual(['events'])
  replaceSnapshot(region, snapshot(1, [bike('a'), bike('b')]))
  expect([...region.vehicles.all()].map(({ source }) => source)).toEqual(['events'])
})

test('SnapshotFleet notifies listeners of new stations', () => {
  const region = newRegion()
  let times = 0
  const stop = region.watchStations(() => (times += 1))
  replaceSnapshot(region, snapshot(0, []))
  stop()
  replaceSnapshot(region, snapshot(1, []))
  expect(times).toBe(1)
})
