import { expect, test } from 'vitest'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import { findDwellStart, countsState, findVehiclesAt } from './vehicles-at.ts'
import type { Step, VehicleTrack } from './vehicle-track.ts'

const step = (at: number, state: VehicleState = 'available', overrides: Partial<Step> = {}): Step => ({
  at,
  state,
  types: ['trip_end'],
  lon: 0,
  lat: 0,
  accuracy: NaN,
  speed: NaN,
  ...overrides,
})
const track = (...steps: Step[]): VehicleTrack => ({
  deviceId: 'd',
  providerId: 'p',
  vehicleType: 'bicycle',
  propulsionTypes: [],
  accessibility: [],
  steps,
})
const makeStates = (...entries: [VehicleState, EventType[]][]) => ({ states: new Map(entries) })
const parked = makeStates(['available', []], ['non_operational', []])
const findStart = (steps: Step[], rule: Parameters<typeof findDwellStart>[0] = parked, lostMs = 1000) => {
  const [vehicle] = findVehiclesAt([track(...steps)], Infinity)
  return vehicle ? findDwellStart(rule, vehicle, { movedMeters: 100, lostMs }) : null
}

test('A vehicle is in its last reported state, and absent before the first report', () => {
  const reported = track(step(10), step(20, 'on_trip'), step(30))
  expect([9, 10, 19, 20, 99].map((at) => findVehiclesAt([reported], at)[0]?.step.at)).toEqual([
    undefined,
    10,
    10,
    20,
    30,
  ])
})

test('A vehicle counts by its state, and by its event types if any are listed', () => {
  expect(
    ['available', 'on_trip', 'removed', 'elsewhere', 'missing', 'non_contactable'].map((state) =>
      countsState({ states: null }, step(0, state as VehicleState)),
    ),
  ).toEqual([true, true, false, false, false, true])
  const dropped = makeStates(['available', ['provider_drop_off', 'agency_drop_off']])
  expect(
    [['trip_end'], ['trip_end', 'provider_drop_off'], []].map((types) =>
      countsState(dropped, { state: 'available', types: types as EventType[] }),
    ),
  ).toEqual([false, true, false])
  expect(countsState(dropped, step(0, 'reserved'))).toBe(false)
})

test('A vehicle dwells since it entered the states of a rule, regardless of changes between them', () => {
  expect(findStart([step(0, 'on_trip'), step(10), step(20, 'non_operational'), step(30)])).toBe(10)
  expect(findStart([step(10), step(20, 'reserved'), step(30)])).toBe(30)
  expect(findStart([step(10), step(20, 'on_trip'), step(30)])).toBe(30)
})

test('A vehicle starts to dwell again after a move, but not after small steps', () => {
  const meters = (east: number): Partial<Step> => ({ lon: east / 111_320 })
  expect(findStart([step(10), step(20, 'available', meters(101))])).toBe(20)
  expect(findStart([step(10), step(20, 'available', meters(99)), step(30, 'available', meters(198))])).toBe(
    10,
  )
})

test('A vehicle starts to dwell again after it was lost', () => {
  expect(findStart([step(0), step(1000)])).toBe(0)
  expect(findStart([step(0), step(1001)])).toBe(1001)
  expect(findStart([step(0), step(1001)], parked, Infinity)).toBe(0)
})
