import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import {
  queryTripsByDaySpatial,
  queryTripsSpatial,
  notInShape,
  type ShapeCounts,
  type SpatialResponse,
} from '#contract/evaluation.ts'
import { type Layer } from '#contract/geography.ts'
import { dayNumber, dayFromNumber } from '#contract/period.ts'
import type { Geometry, Position } from '#contract/place.ts'
import { call, openTestApp, type TestApp } from '../app.ts'
import { makeCity, readShapes } from '../city.ts'
import { countedAggregations, plainCount, type PlainQuestion } from '../city/plain-count.ts'
import { holds, getMetersToEdge } from '../city/plain-geometry.ts'
import { districts, lanes, zones } from '../city/shapes.ts'
import { borderDay, cityOperators, cityTrips, clearBuffers, tripPeriod } from '../city/trips.ts'

let app: TestApp
let city: Awaited<ReturnType<typeof makeCity>>
const names = new Map<string, string>()
const ids = new Map<string, string>()

const shapesByLayer = { districts, zones, lanes } as const
type LayerKey = keyof typeof shapesByLayer
let layers: Record<LayerKey, Layer>

beforeAll(async () => {
  app = await openTestApp()
  city = await makeCity(app)
  const { districts, zones, lanes } = city.layers
  layers = { districts, zones, lanes }
  for (const layer of Object.values(layers))
    for (const { shape_uuid, shape_name } of await readShapes(app, city.viewer, layer)) {
      names.set(shape_uuid, shape_name)
      ids.set(`${layer.shape_layer_uuid} ${shape_name}`, shape_uuid)
    }
})
afterAll(() => app.close())

const all: PlainQuestion = {
  ...tripPeriod,
  operators: [],
  vehicle_type: null,
  days: [],
  hour_filters: [0, 23],
  buffer: 0,
  aggregation: 'origins',
  selected: null,
}

function makeBody(layer: LayerKey, { aggregation, selected, ...filters }: PlainQuestion) {
  const { shape_layer_uuid } = layers[layer]
  return {
    region_id: 'alder',
    shape_layer_uuid,
    ...filters,
    direction: aggregation,
    shape_filter: selected === null ? null : (ids.get(`${shape_layer_uuid} ${selected}`) ?? null),
  }
}

const queryTrips = (layer: LayerKey, question: PlainQuestion): Promise<SpatialResponse> =>
  call(app, city.viewer, queryTripsSpatial, { body: makeBody(layer, question) })

/** Names the shapes of a response, with means rounded to millimeters (not at halves, as sums may differ). */
const sortByName = (shapes: Record<string, ShapeCounts>) =>
  Object.fromEntries(
    Object.entries(shapes).map(([id, numbers]) => [
      names.get(id) ?? id,
      { ...numbers, value: numbers.value === null ? null : Math.round(numbers.value * 1e3 + 0.0137) },
    ]),
  )

const day = fc
  .integer({ min: dayNumber(tripPeriod.start_date) - 3, max: dayNumber(tripPeriod.end_date) + 3 })
  .map(dayFromNumber)
const period = fc
  .tuple(day, day)
  .map(([a, b]) => (a <= b ? { start_date: a, end_date: b } : { start_date: b, end_date: a }))
const filters = fc.record({
  operators: fc.subarray([...cityOperators, 'nobody']),
  vehicle_type: fc.constantFrom(null, null, 'bicycle' as const, 'scooter' as const, 'moped' as const),
  days: fc.oneof(fc.constant<number[]>([]), fc.subarray([1, 2, 3, 4, 5, 6, 7])),
  vehicle_types: fc.constantFrom<('bicycle' | 'scooter' | 'moped')[][]>(
    [],
    ['bicycle', 'scooter'],
    ['moped', 'scooter'],
  ),
  hour_filters: fc.oneof(fc.constant<[number, number]>([0, 23]), fc.tuple(fc.nat(23), fc.nat(23))),
  buffer: fc.constantFrom(0, 0, ...clearBuffers),
  aggregation: fc.constantFrom(...countedAggregations),
})
const questions = fc.tuple(period, filters).map(([days, others]) => ({ ...days, ...others }))
const layerKeys = Object.keys(shapesByLayer) as LayerKey[]
const anyQuestion = fc.constantFrom(...layerKeys).chain((layer) =>
  fc.record({
    layer: fc.constant(layer),
    question: fc
      .record({
        filters: questions,
        selected: fc.constantFrom(null, null, ...shapesByLayer[layer].map(({ name }) => name)),
      })
      .map(({ filters, selected }): PlainQuestion => ({ ...filters, selected })),
  }),
)

test('any question about any layer equals a plain count', async () => {
  await fc.assert(
    fc.asyncProperty(anyQuestion, async ({ layer, question }) => {
      const response = await queryTrips(layer, question)
      const plain = plainCount(layer, shapesByLayer[layer], question)
      expect(sortByName(response.shape_data)).toEqual(sortByName(plain.byShape))
      expect({ total: response.total, days: response.days, aggregation: response.aggregation }).toEqual({
        total: plain.total,
        days: plain.days,
        aggregation: question.aggregation,
      })
    }),
    { numRuns: Number(process.env['EVALUATION_RUNS'] ?? 6), seed: 4870 },
  )
})

// Lines contain no trips for any aggregation.
test.each(
  countedAggregations.flatMap((aggregation) =>
    (['districts', 'zones'] as const).map((layer) => ({ aggregation, layer })),
  ),
)('$aggregation of the $layer', async ({ aggregation, layer }) => {
  const question = { ...all, aggregation }
  const response = await queryTrips(layer, question)
  expect(sortByName(response.shape_data)).toEqual(
    sortByName(plainCount(layer, shapesByLayer[layer], question).byShape),
  )
  expect(response.unit).toBe(
    aggregation.startsWith('daily')
      ? 'trips_per_day'
      : aggregation.startsWith('average')
        ? 'meters'
        : 'trips',
  )
  expect(response.method).toEqual({ name: aggregation, version: 1, buffer: 0 })
})

describe('a layer without overlaps', () => {
  it.each([
    all,
    { ...all, start_date: borderDay, end_date: borderDay },
    { ...all, start_date: '2026-01-01', end_date: '2026-12-31', days: [6, 7] },
    { ...all, operators: ['cargo-co'], vehicle_type: 'scooter' as const },
    { ...all, hour_filters: [7, 9] as [number, number] },
    { ...all, selected: 'Alder Island' },
  ])('counts each trip in one district or none: %o', async (question) => {
    for (const aggregation of ['origins', 'destinations'] as const) {
      const { shape_data, total, overlaps } = await queryTrips('districts', { ...question, aggregation })
      expect(Object.values(shape_data).reduce((sum, { value }) => sum + (value ?? 0), 0)).toBe(total)
      expect(total).toBe(plainCount('districts', districts, { ...question, aggregation }).total)
      expect(overlaps).toBe(false)
    }
  })

  it('counts trips on borders and corners in one adjacent district', async () => {
    const { shape_data, total } = await queryTrips('districts', {
      ...all,
      start_date: borderDay,
      end_date: borderDay,
    })
    const trips = cityTrips.filter((trip) => trip.day === borderDay)
    expect(total).toBe(trips.length)
    expect(total).toBeGreaterThan(70)
    const isTouched = (point: Position | null, geometry: Geometry): boolean =>
      point !== null && (holds(geometry, point) || getMetersToEdge(geometry, point) < 0.01)
    for (const { name, geometry } of districts) {
      const { orig, dest } = sortByName(shape_data)[name] ?? { orig: Infinity, dest: Infinity }
      expect(orig).toBeLessThanOrEqual(trips.filter(({ from }) => isTouched(from, geometry)).length)
      expect(dest).toBeLessThanOrEqual(trips.filter(({ to }) => isTouched(to, geometry)).length)
    }
    expect(shape_data[notInShape]?.orig).toBeLessThanOrEqual(
      trips.filter(({ from }) => districts.filter(({ geometry }) => isTouched(from, geometry)).length < 3)
        .length,
    )
  })

  it('overlaps if it is buffered, and reports it', async () => {
    const { shape_data, total, overlaps } = await queryTrips('districts', { ...all, buffer: 250 })
    expect(overlaps).toBe(true)
    expect(Object.values(shape_data).reduce((sum, { orig }) => sum + (orig ?? 0), 0)).toBeGreaterThan(total)
  })
})

test('a trip counts in each overlapping zone, and the response reports the overlap', async () => {
  const { shape_data, total, overlaps } = await queryTrips('zones', all)
  expect(overlaps).toBe(true)
  expect(Object.values(shape_data).reduce((sum, { orig }) => sum + (orig ?? 0), 0)).toBeGreaterThan(total)
  const zone = sortByName(shape_data)
  expect(zone['Alder Core']).toEqual(zone['Alder Core, again'])
  expect(zone['Alder Core']?.orig).toBeGreaterThan(0)
})

test('lines contain no trips unless they are buffered', async () => {
  const { shape_data, total } = await queryTrips('lanes', all)
  expect(sortByName(shape_data)).toEqual({
    'Alder Lane': expect.objectContaining({ count: 0 }),
    'Ash Lane': expect.objectContaining({ count: 0 }),
    [notInShape]: expect.objectContaining({ orig: total, n: total }),
  })
  expect(
    sortByName((await queryTrips('lanes', { ...all, buffer: 250 })).shape_data)['Alder Lane']?.count,
  ).toBeGreaterThan(20)
})

test('the days of a question add up to the total', async () => {
  for (const layer of ['districts', 'zones'] as const)
    for (const question of [
      all,
      { ...all, days: [1, 7], operators: ['alder-bikes'] },
      { ...all, selected: shapesByLayer[layer][1]?.name ?? null, hour_filters: [22, 5] as [number, number] },
    ]) {
      const { shape_data_by_day } = await call(app, city.viewer, queryTripsByDaySpatial, {
        body: makeBody(layer, question),
      })
      const whole = sortByName((await queryTrips(layer, question)).shape_data)
      const sums: Record<string, number[]> = Object.fromEntries(
        Object.keys(whole).map((name) => [name, [0, 0, 0]]),
      )
      for (const shapes of Object.values(shape_data_by_day))
        for (const [id, { orig, dest, count }] of Object.entries(shapes))
          sums[names.get(id) ?? id] = (sums[names.get(id) ?? id] ?? []).map(
            (sum, index) => sum + ([orig, dest, count][index] ?? 0),
          )
      expect(sums).toEqual(
        Object.fromEntries(
          Object.entries(whole).map(([name, { orig, dest, count }]) => [name, [orig, dest, count]]),
        ),
      )
      expect(
        Object.keys(shape_data_by_day).every((day) => day >= question.start_date && day <= question.end_date),
      ).toBe(true)
    }
})

test('a single day equals this day of a longer period', async () => {
  const { shape_data_by_day } = await call(app, city.viewer, queryTripsByDaySpatial, {
    body: makeBody('districts', { ...all, aggregation: 'average_origin_distance' }),
  })
  for (const date of ['2026-03-08', '2026-03-21']) {
    const alone = plainCount('districts', districts, {
      ...all,
      start_date: date,
      end_date: date,
      aggregation: 'average_origin_distance',
    }).byShape
    const withTrips = Object.fromEntries(Object.entries(alone).filter(([, { count }]) => count > 0))
    expect(sortByName(shape_data_by_day[date] ?? {})).toEqual(sortByName(withTrips))
  }
})
