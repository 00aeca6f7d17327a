// Compares hourly cubes of layers with a plain count, after late events, changed shapes and interruptions.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hourMs } from '#contract/period.ts'
import type { Position } from '#contract/place.ts'
import { eventTypes, vehicleStateNames } from '#contract/vehicle-states.ts'
import { findLayer } from '#server/geography/layers/find-layer.ts'
import { findCubeStatus } from '#server/fleet/cubes/cube-status.ts'
import { listDirty } from '#server/derived/dirty-spans.ts'
import { parseHourSpan, markHoursDirty, shapeSums } from '#server/fleet/cubes/dirty-hours.ts'
import { copyHours } from '#server/fleet/cubes/compute-hours.ts'
import { listCubeLayers, saveCubeLayer } from '#server/fleet/cubes/cube-layers.ts'
import { toCubeRegion, unsizedBasis } from '#server/fleet/cubes/cube-region.ts'
import { readShapeDays } from '#server/fleet/cubes/shape-days.ts'
import { bind, sql } from '#server/stores/sql.ts'
import { readShapeHours } from './shape-hours.ts'
import { everywhereKey, makeOutsideKey, makeShapeKey } from '#server/fleet/cubes/layer-shapes.ts'
import type { TripReport, Vehicle, VehicleEvent } from '#server/fleet/events/feed-records.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { type CubeCity, openCubeCity } from './cube-city.ts'
import { useStores } from './use-stores.ts'
import { testUuid } from '../uuid.ts'

const begin = Date.UTC(2026, 1, 25)

// Times over two weeks and a month's end, so that parking is long, vehicles are lost and found, and hours are cut.
const anyTime = fc
  .oneof(fc.integer({ min: 0, max: 60 * 20 }), fc.integer({ min: 0, max: 60 * 24 * 13 }))
  .map((minute) => begin + minute * 60_000 + (minute % 7) * 1001)
// On corners and borders of the shapes too.
const anyLon = fc.constantFrom(-75.02, -75.01, -75.005, -75, -74.993, NaN)
const anyLat = fc.constantFrom(36.99, 36.995, 37, 37.004)
const anyTrip = fc.integer({ min: 1, max: 6 }).map(testUuid)
const anyEvent: fc.Arbitrary<VehicleEvent> = fc.record({
  operator: fc.constantFrom('one', 'two'),
  deviceId: fc.integer({ min: 1, max: 3 }).map(testUuid),
  eventId: fc.integer({ min: 1, max: 80 }).map((n) => testUuid(n * 7919)),
  time: anyTime,
  state: fc.oneof(
    fc.constantFrom(...vehicleStateNames),
    fc.constantFrom('available', 'on_trip', 'non_contactable', 'non_operational' as const),
  ),
  types: fc.array(
    fc.oneof(
      fc.constantFrom(...eventTypes),
      fc.constantFrom('provider_drop_off', 'trip_start', 'trip_end' as const),
    ),
    { minLength: 1, maxLength: 2 },
  ),
  tripIds: fc.array(anyTrip, { maxLength: 1 }),
  lon: anyLon,
  lat: anyLat,
  accuracy: fc.constant(NaN),
  battery: fc.constant(50),
  published: fc.constantFrom(0, begin, begin + 1),
})
const anyReport: fc.Arbitrary<TripReport> = fc.record({
  operator: fc.constantFrom('one', 'two'),
  tripId: anyTrip,
  deviceId: fc.integer({ min: 1, max: 3 }).map(testUuid),
  startTime: anyTime,
  endTime: anyTime,
  startLon: anyLon,
  startLat: anyLat,
  endLon: anyLon,
  endLat: anyLat,
  distance: fc.constant(900),
  duration: fc.constant(600),
  published: fc.constantFrom(0, begin, begin + 1),
  attributes: fc.constant(''),
})
const anyVehicle: fc.Arbitrary<Vehicle> = fc.record({
  operator: fc.constantFrom('one', 'two'),
  deviceId: fc.integer({ min: 1, max: 3 }).map(testUuid),
  vehicleId: fc.constant('v'),
  vehicleType: fc.constantFrom('bicycle', 'scooter_standing' as const),
  mode: fc.constant('micromobility'),
  propulsionTypes: fc.constant([]),
  attributes: fc.constant('{}'),
})

const makeSquare = (west: number, south: number, side: number): Position[] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
]
const squares = [
  makeSquare(-75.02, 36.99, 0.01),
  makeSquare(-75.01, 36.99, 0.01),
  makeSquare(-75.01, 37, 0.01),
  makeSquare(-75.015, 36.993, 0.03),
]

type Step =
  | { records: { events: VehicleEvent[]; trips: TripReport[]; vehicles: Vehicle[] } }
  | { layer: number; rings: Position[][] }
  | { hours: number }
  | { crash: number }
const steps = [
  fc.record({
    records: fc.record({
      events: fc.array(anyEvent, { maxLength: 25 }),
      trips: fc.array(anyReport, { maxLength: 4 }),
      vehicles: fc.array(anyVehicle, { maxLength: 2 }),
    }),
  }),
  fc.record({ layer: fc.integer({ min: 1, max: 2 }), rings: fc.subarray(squares) }),
  fc.record({ hours: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 96 })) }),
  fc.record({ crash: fc.integer({ min: 0, max: 5 }) }),
] as const
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  ...steps.map((arbitrary, kind) => ({
    weight: [4, 2, 3, 1][kind] ?? 1,
    arbitrary: arbitrary as fc.Arbitrary<Step>,
  })),
)
/** Few runs by default, each with every kind of step. CUBE_RUNS sets more runs of longer histories. */
const runs = Number(process.env['CUBE_RUNS'] ?? 1)
const max = process.env['CUBE_RUNS'] ? { steps: 8, hours: 24 * 14 } : { steps: 3, hours: 24 * 4 }
const anySteps: fc.Arbitrary<Step[]> = fc
  .tuple(fc.tuple(steps[0], ...steps) as fc.Arbitrary<Step[]>, fc.array(anyStep, { maxLength: max.steps }))
  .chain(([once, repeated]) =>
    fc.shuffledSubarray([...once, ...repeated], { minLength: once.length + repeated.length }),
  )

async function runStep(city: CubeCity, step: Step): Promise<void> {
  city.clock.now += 1000
  if ('records' in step) return city.store(step.records)
  if ('layer' in step) return void (await city.draw(step.layer, step.rings))
  if ('hours' in step) city.clock.now += step.hours * hourMs
  else city.failure.after = step.crash
  await city.cubes.idle()
  if ('crash' in step) {
    city.failure.after = null
    city.restart()
  }
}

const sortSums = (sums: ReadonlyMap<string, number>): [string, number][] =>
  [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1))

async function expectPlainSums(city: CubeCity): Promise<void> {
  expect(sortSums(await city.readStored())).toEqual(sortSums(await city.computePlain()))
}

describe('cubes of layers', () => {
  let facts: Facts
  let state: State
  useStores((...opened) => void ([facts, state] = opened))
  const listDirtyHours = async ({ scope, regionId }: CubeCity): Promise<number[]> =>
    (await listDirty(state, scope, { product: shapeSums, regionId }, { limit: 1000 }))
      .map(({ span }) => parseHourSpan(span))
      .toReversed()

  it('equal a plain count after late records, changes and failures', async () => {
    await fc.assert(
      fc.asyncProperty(
        anySteps,
        fc.constantFrom('America/New_York', 'Australia/Adelaide'),
        fc.integer({ min: 24, max: max.hours }),
        async (steps, timezone, hours) => {
          const city = await openCubeCity(state, facts, timezone, begin + hours * hourMs + 1_234_000)
          await city.draw(1, squares.slice(0, 3))
          for (const step of steps) await runStep(city, step)
          await city.cubes.idle()
          await expectPlainSums(city)
          expect(city.logged.filter((line) => !line.includes('the engine is gone'))).toEqual([])
          await city.remove()
        },
      ),
      { numRuns: runs, endOnFailure: true, seed: Number(process.env['FLEET_SEED'] ?? 4870) },
    )
  }, 600_000)

  const makeEvent = (
    device: number,
    time: number,
    lon: number,
    lat: number,
    overrides: Partial<VehicleEvent> = {},
  ): VehicleEvent => ({
    operator: 'one',
    deviceId: testUuid(device),
    eventId: testUuid(device * 1000 + (time - begin) / 60_000),
    time,
    state: 'available',
    types: ['provider_drop_off'],
    tripIds: [],
    lon,
    lat,
    accuracy: NaN,
    battery: 50,
    published: 0,
    ...overrides,
  })

  it('are not derived for other shapes when one changes or another layer has the same', async () => {
    const city = await openCubeCity(state, facts, 'America/New_York', begin + 23 * hourMs)
    const [first, second, third] = squares as [Position[], Position[], Position[]]
    const layerId = await city.draw(1, [first, second])
    await city.store({
      events: [
        makeEvent(1, begin + hourMs, -75.015, 36.995),
        makeEvent(2, begin + 2 * hourMs, -75.005, 36.995),
        makeEvent(3, begin + 3 * hourMs, -75.005, 37.004),
      ],
    })
    await city.cubes.idle()
    const earlierVersions = await city.readVersions()
    // Including the parts outside of all shapes, and everywhere.
    expect(earlierVersions.size).toBe(4)
    await city.draw(1, [first, third])
    expect(
      (await findCubeStatus(state.as(city.scope), await findLayer(state, city.scope, city.regionId, layerId)))
        .status,
    ).toBe('waiting')
    await city.draw(2, [second, first])
    await city.cubes.idle()
    const versions = await city.readVersions()
    const getKey = (ring: Position[]): string => makeShapeKey({ type: 'MultiPolygon', coordinates: [[ring]] })
    expect(versions.get(getKey(first))).toBe(earlierVersions.get(getKey(first)))
    expect(versions.size).toBe(6)
    expect(versions.get(everywhereKey)).toBe(earlierVersions.get(everywhereKey))
    await expectPlainSums(city)
    expect(
      await findCubeStatus(state.as(city.scope), await findLayer(state, city.scope, city.regionId, layerId)),
    ).toMatchObject({ status: 'ready', problem: null, doneHours: 22, totalHours: 22 })
    // Only the hours that a late event affects are computed again.
    city.clock.now += 1000
    await city.store({
      events: [
        makeEvent(4, begin + 13 * hourMs, -75.015, 36.995),
        makeEvent(4, begin + 14 * hourMs + 60_000, -75.015, 36.995, {
          state: 'removed',
          types: ['maintenance_pick_up'],
        }),
      ],
    })
    expect((await listDirtyHours(city)).map((time) => (time - begin) / hourMs)).toEqual([
      13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
    ])
    await city.cubes.idle()
    await expectPlainSums(city)
    await city.remove()
  })

  it('are unchanged after the next parking event of a vehicle with a late event', async () => {
    const city = await openCubeCity(state, facts, 'UTC', begin + 200 * hourMs)
    await city.store({
      events: [0, 10, 20, 30].flatMap((hour) => [
        makeEvent(1, begin + hour * hourMs, -75.015, 36.995),
        makeEvent(1, begin + (hour + 5) * hourMs, -75.005, 36.995, {
          state: 'on_trip',
          types: ['trip_start'],
        }),
      ]),
    })
    await state.as(city.scope).deleteFrom('derived_span').where('product', '=', shapeSums).execute()
    await city.store({
      events: [
        makeEvent(1, begin + 11 * hourMs, -75.015, 36.996, {
          state: 'reserved',
          types: ['reservation_start'],
        }),
      ],
    })
    expect((await listDirtyHours(city)).map((time) => (time - begin) / hourMs)).toEqual([11, 12, 13, 14, 15])
    await city.remove()
  })

  it('are derived in portions if their hours lie far apart', async () => {
    const city = await openCubeCity(state, facts, 'UTC', begin + 200 * hourMs)
    await city.draw(1, squares.slice(0, 1))
    await city.cubes.idle()
    await city.store({ events: [makeEvent(1, begin + hourMs, -75.015, 36.995)] })
    await markHoursDirty(state, city.scope, {
      regionId: city.regionId,
      hours: [begin, begin + 150 * hourMs],
      at: new Date(city.clock.now),
    })
    await city.cubes.idle()
    expect(await listDirtyHours(city)).toEqual([])
    await expectPlainSums(city)
    await city.remove()
  })

  it('count a trip in the hour of its start, regardless of its end', async () => {
    const city = await openCubeCity(state, facts, 'UTC', begin + 70 * hourMs)
    await city.draw(1, squares.slice(0, 2))
    const makeReport = (published: number, endHour: number): TripReport => ({
      operator: 'one',
      tripId: testUuid(1),
      deviceId: testUuid(1),
      startTime: begin + hourMs,
      endTime: begin + endHour * hourMs,
      startLon: -75.015,
      startLat: 36.995,
      endLon: -75.005,
      endLat: 36.995,
      distance: 900,
      duration: 600,
      published,
      attributes: '',
    })
    for (const [version, endHour] of [20, 2, 60].entries()) {
      await city.store({ trips: [makeReport(begin + version, endHour)] })
      await city.cubes.idle()
      const sums = sortSums(await city.readStored())
      expect(sums).toEqual(sortSums(await city.computePlain()))
      expect(
        sums
          .filter(([name]) => name.startsWith(everywhereKey) && name.endsWith(' dest'))
          .map(([name, sum]) => [(Number(name.split(' ')[1]) - begin) / hourMs, sum]),
      ).toEqual([[1, 1]])
    }
    await city.remove()
  })

  it('count a parking event of more than a week, and one that turns out to continue', async () => {
    const city = await openCubeCity(state, facts, 'UTC', begin + 234 * hourMs)
    await city.draw(1, squares.slice(0, 1))
    const makeEventAt = (hours: number, overrides: Partial<VehicleEvent>): VehicleEvent =>
      makeEvent(1, begin + hours * hourMs, -75.015, 36.995, { types: ['comms_lost'], ...overrides })
    await city.store({ events: [makeEventAt(0, { types: ['provider_drop_off'] })] })
    await city.store({
      events: Array.from({ length: 6 }, (_, day) => makeEventAt((day + 1) * 24, { types: ['battery_low'] })),
    })
    await city.cubes.idle()
    // Without contact for longer than the limit after which a vehicle is lost, the parking event continues anyway.
    await city.store({ events: [makeEventAt(9 * 24, { state: 'non_contactable' })] })
    await city.cubes.idle()
    const sums = await city.readStored()
    expect(sortSums(sums)).toEqual(sortSums(await city.computePlain()))
    expect(
      [...sums]
        .filter(([name]) => name.startsWith(everywhereKey) && name.endsWith('parked_ms'))
        .reduce((all, [, sum]) => all + sum, 0),
    ).toBe(234 * hourMs)
    await city.remove()
  })

  it('are summed by hour, local day, operator and type', async () => {
    const city = await openCubeCity(state, facts, 'America/New_York', begin + 72 * hourMs)
    await city.draw(1, squares.slice(0, 1))
    // New York is five hours behind: the second day begins at 5.
    await city.store({
      events: [
        makeEvent(1, begin + 3.5 * hourMs, -75.015, 36.995),
        makeEvent(1, begin + 6 * hourMs, -75.015, 36.995, {
          state: 'removed',
          types: ['maintenance_pick_up'],
        }),
      ],
    })
    await city.cubes.idle()
    const key = makeShapeKey({ type: 'Polygon', coordinates: [squares[0] as Position[]] })
    const question = {
      regionId: city.regionId,
      shapeKeys: [key],
      from: begin,
      until: begin + 72 * hourMs,
      timezone: 'America/New_York',
    }
    expect(await readShapeHours(facts, city.scope, { ...question, by: ['day'] })).toMatchObject([
      { key, day: '2026-02-24', available_ms: 1.5 * hourMs, drop_offs: 1, parking_begins: 1 },
      { key, day: '2026-02-25', available_ms: hourMs, drop_offs: 0 },
    ])
    expect(
      await readShapeHours(facts, city.scope, { ...question, by: ['operator'], operators: ['two'] }),
    ).toEqual([])
    expect(
      await readShapeHours(facts, city.scope, {
        ...question,
        by: ['vehicle_type'],
        vehicleTypes: ['other'],
        from: begin + 4 * hourMs,
      }),
    ).toMatchObject([{ vehicle_type: 'other', parked_ms: 2 * hourMs, parking_begins: 0 }])
    await city.remove()
  })

  it('report which layer failed and why, continue with the others, and catch up later', async () => {
    const city = await openCubeCity(state, facts, 'UTC', begin + 23 * hourMs)
    const layerIds = [await city.draw(1, squares.slice(0, 1)), await city.draw(2, squares.slice(1, 2))]
    await city.store({
      events: [
        makeEvent(1, begin + hourMs, -75.015, 36.995),
        makeEvent(2, begin + 2 * hourMs, -75.005, 36.995),
      ],
    })
    await city.cubes.idle()
    city.clock.now += 2 * hourMs
    city.failure.after = 0
    await city.cubes.idle()
    const readStatuses = async () =>
      Promise.all(
        layerIds.map(async (id) =>
          findCubeStatus(state.as(city.scope), await findLayer(state, city.scope, city.regionId, id)),
        ),
      )
    const failed = await readStatuses()
    expect(failed.map(({ status }) => status).toSorted()).toEqual(['failed', 'ready'])
    expect(failed.find(({ status }) => status === 'failed')?.problem).toBe('the engine is gone')
    expect(sortSums(await city.readStored())).not.toEqual(sortSums(await city.computePlain()))
    await city.cubes.idle()
    await expectPlainSums(city)
    expect((await readStatuses()).map(({ status, problem }) => [status, problem])).toEqual([
      ['ready', null],
      ['ready', null],
    ])
    await city.remove()
  })

  it('of an earlier release are copied to the keys of this one, and not computed again', async () => {
    const city = await openCubeCity(state, facts, 'UTC', begin + 23 * hourMs)
    const layerId = await city.draw(1, squares.slice(0, 2))
    await city.store({
      events: [
        makeEvent(1, begin + hourMs, -75.015, 36.995),
        makeEvent(2, begin + 2 * hourMs, -75.005, 36.995),
        makeEvent(3, begin + 3 * hourMs, -75.005, 37.004),
      ],
    })
    await city.cubes.idle()
    const [versions, sums] = [await city.readVersions(), await city.readStored()]
    const region = toCubeRegion(city.scope, {
      regionId: city.regionId,
      organizationId: '',
      timezone: 'UTC',
      lostAfterHours: 48,
    })
    const [row] = await listCubeLayers(state.as(city.scope), city.regionId)
    if (!row) throw new Error('The layer has no cubes')
    const readDays = (keys: readonly string[]) =>
      readShapeDays(
        facts,
        city.scope,
        {
          regionId: city.regionId,
          shapeKeys: keys,
          spans: [{ from: 0, until: 30_000 }],
          groupBy: ['hour'],
          sums: ['available_ms'],
          operators: [],
          vehicleTypes: [],
          weekdays: [],
          hours: [],
        },
        new AbortController().signal,
      )
    const dayRows = await readDays(row.keys)
    expect(dayRows.length).toBeGreaterThan(20)
    const earlierKeys = new Map(row.keys.map((key, index) => [key, String(index + 1)]))
    await copyHours(facts, region, earlierKeys)
    const keys = bind('Array(String)', row.keys)
    for (const table of ['shape_hours', 'shape_day_hours'] as const)
      await facts.remove(city.scope, table, sql`toString(shape_key) in ${keys}`)
    await saveCubeLayer(state.as(city.scope), {
      ...row,
      keys: [...earlierKeys.values()],
      basis: unsizedBasis(region),
    })
    expect(new Set((await city.readVersions()).keys())).toEqual(new Set(earlierKeys.values()))
    city.restart()
    await city.cubes.idle()
    expect(sortSums(await city.readStored())).toEqual(sortSums(sums))
    const copied = [...versions].map(([key, text]) => [earlierKeys.get(key) ?? '', text] as const)
    expect(await city.readVersions()).toEqual(new Map([...versions, ...copied]))
    expect(await readDays(row.keys)).toEqual(expect.arrayContaining(dayRows))
    expect(await listCubeLayers(state.as(city.scope), city.regionId)).toMatchObject([
      { layer_id: layerId, keys: row.keys, missing: [], status: 'ready' },
    ])
    await city.remove()
  })

  it('are removed a day after no layer has the shape anymore', async () => {
    const city = await openCubeCity(state, facts, 'UTC', begin + 23 * hourMs)
    await city.draw(1, squares.slice(0, 2))
    await city.store({
      events: [
        makeEvent(1, begin + hourMs, -75.015, 36.995),
        makeEvent(2, begin + 2 * hourMs, -75.005, 36.995),
      ],
    })
    await city.cubes.idle()
    await city.draw(1, squares.slice(1, 2))
    await city.cubes.idle()
    expect((await city.readVersions()).size).toBe(4)
    city.clock.now += 25 * hourMs
    await city.cubes.idle()
    const remainingKey = makeShapeKey({ type: 'Polygon', coordinates: [squares[1] as Position[]] })
    expect(new Set((await city.readVersions()).keys())).toEqual(
      new Set([remainingKey, makeOutsideKey([remainingKey]), everywhereKey]),
    )
    await city.draw(1, squares.slice(0, 2))
    await city.cubes.idle()
    await expectPlainSums(city)
    await city.remove()
  })
})
