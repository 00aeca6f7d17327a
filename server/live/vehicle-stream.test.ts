import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { type LiveVehicles, placeSteps } from '#contract/vehicles.ts'
import { LiveRegion } from './live-region.ts'
import { makeBatch, makeEvent, testTime } from '../../test/live-records.ts'
import { type VehicleStreamOptions, createVehicleStream } from './vehicle-stream.ts'
import { testUuid } from '../../test/uuid.ts'

const at = testTime
const newRegion = (): LiveRegion => new LiveRegion({ first: 1000, lostAfterHours: 48 })

const move = (region: LiveRegion, device: number, minutes: number, operator = 'one'): void => {
  const event = makeEvent({
    operator,
    deviceId: testUuid(device),
    eventId: testUuid(minutes * 1000 + device),
    time: at + minutes * 60_000,
    lon: -75 + minutes / 100,
  })
  region.applyBatch(makeBatch({ events: [event] }), at)
}

const stops: AbortController[] = []
afterEach(() => stops.splice(0).forEach((stop) => stop.abort()))

function open(region: LiveRegion, over: Partial<VehicleStreamOptions> = {}) {
  const stop = new AbortController()
  stops.push(stop)
  const stream = createVehicleStream({
    region,
    operators: null,
    after: null,
    nowMs: () => at,
    canView: async () => true,
    signal: stop.signal,
    pace: { gatherMs: 5, heartbeatMs: 10_000 },
    ...over,
  })
  let text = ''
  let state = 'open'
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  stream.on('end', () => (state = 'ended'))
  stream.on('close', () => (state = state === 'ended' ? 'ended' : 'dropped'))
  const events = () =>
    text.split('\n\n').flatMap((block) => {
      const [, id] = /^id: (\d+)$/m.exec(block) ?? []
      const [, name] = /^event: (\w+)$/m.exec(block) ?? []
      const [, data] = /^data: (.*)$/m.exec(block) ?? []
      return name ? [{ id: Number(id), name, data: JSON.parse(data ?? 'null') as LiveVehicles }] : []
    })
  return { stop, stream, events, text: () => text, state: () => state }
}
const handles = ({ handle }: LiveVehicles): number[] =>
  handle.map((_, to) => handle.slice(0, to + 1).reduce((sum, step) => sum + step, 0))

test('The vehicle stream sends changes, gathered, under the number of the last one', async () => {
  const region = newRegion()
  move(region, 1, 0)
  const reader = open(region)
  move(region, 2, 1)
  move(region, 1, 2)
  move(region, 1, 3)
  await wait(60)
  const events = reader.events()
  expect(events.map(({ name, id }) => [name, id])).toEqual([
    ['hello', 1001],
    ['vehicles', 1004],
  ])
  const { data } = events[1]!
  expect(handles(data)).toEqual([0, 1])
  expect(data.gone).toEqual([])
  expect((data.lon[0] ?? 0) / placeSteps + data.origin[0]).toBeCloseTo(-74.97, 5)
})

test('The vehicle stream resumes where it was interrupted, or requests a reload if that is too long ago', async () => {
  const region = newRegion()
  move(region, 1, 0)
  move(region, 2, 0)
  await wait(5)
  expect(
    open(region, { after: 1002 })
      .events()
      .map(({ name }) => name),
  ).toEqual([])
  const [resumed, older, later] = [
    open(region, { after: 1001 }),
    open(region, { after: 7 }),
    open(region, { after: 9_999_999 }),
  ]
  await wait(60)
  expect(resumed.events().map(({ name, id }) => [name, id])).toEqual([
    ['hello', 1001],
    ['vehicles', 1002],
  ])
  expect(handles(resumed.events()[1]!.data)).toEqual([1])
  for (const other of [older, later])
    expect(other.events().slice(1)).toEqual([
      { name: 'reset', id: 1002, data: expect.objectContaining({ at: 1002 }) },
    ])
})

test('The vehicle stream sends nothing about operators that the viewer may not see', async () => {
  const region = newRegion()
  const reader = open(region, { operators: ['one'] })
  move(region, 1, 0, 'two')
  await wait(60)
  expect(reader.events().map(({ name }) => name)).toEqual(['hello'])
  region.sweep(at + 30 * 86_400_000)
  move(region, 2, 43_000, 'one')
  await wait(60)
  expect(reader.events().slice(1)).toMatchObject([
    { name: 'vehicles', data: { groups: [{ operator: 'one' }], gone: [] } },
  ])
})

test('The vehicle stream sends removed vehicles, and that stations changed', async () => {
  const region = newRegion()
  move(region, 1, 0)
  const reader = open(region)
  region.sweep(at + 30 * 86_400_000)
  region.replaceSnapshot({ regionId: 'r', operator: 'one', feedId: 'g', at, vehicles: [], stations: [] }, at)
  await wait(60)
  expect(
    reader
      .events()
      .slice(1)
      .map(({ name, data }) => [name, data.gone]),
  ).toEqual([
    ['stations', undefined],
    ['vehicles', [0]],
  ])
})

test('The vehicle stream sends heartbeats while the viewer has access, and ends otherwise', async () => {
  const region = newRegion()
  let may = true
  const reader = open(region, { canView: async () => may, pace: { gatherMs: 5, heartbeatMs: 20 } })
  await wait(70)
  expect(reader.text()).toContain(': \n\n')
  may = false
  await wait(60)
  expect(reader.state()).toBe('ended')
  const broken = open(region, { canView: () => Promise.reject(new Error('gone')), pace: { heartbeatMs: 10 } })
  await wait(60)
  expect(broken.state()).toBe('ended')
})

test('The vehicle stream disconnects readers that do not keep up or are gone', async () => {
  const region = newRegion()
  const stop = new AbortController()
  const idle = createVehicleStream({
    region,
    operators: null,
    after: null,
    nowMs: () => at,
    canView: async () => true,
    signal: stop.signal,
    pace: { gatherMs: 1, maxPendingBytes: 2000 },
  })
  for (let minute = 0; minute < 30 && !idle.destroyed; minute++) {
    move(region, 1, minute)
    await wait(4)
  }
  expect(idle.destroyed).toBe(true)
  const reader = open(region)
  reader.stop.abort()
  await wait(20)
  expect(reader.state()).toBe('dropped')
  const last = open(region)
  region.end()
  await wait(20)
  expect(last.state()).toBe('dropped')
})
