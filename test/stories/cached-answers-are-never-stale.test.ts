import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import {
  queryMostRecentTrips,
  queryTripsByDaySpatial,
  queryTripsSpatial,
  getTripsExtent,
  notInShape,
  type SpatialQuestion,
} from '#contract/evaluation.ts'
import { changeShape, deleteShape, getLayer, type Shape } from '#contract/geography.ts'
import { deleteImport } from '#contract/imports.ts'
import { queryMetrics } from '#contract/metrics.ts'
import { listOperators } from '#contract/operators.ts'
import { call, openTestApp, readProblem, request, send, type TestApp } from '../app.ts'
import { makeCity, sendTrips, readShapes } from '../city.ts'
import { type CityTrip, cityTrips, formatCsv, tripMapping, tripPeriod } from '../city/trips.ts'
import { positions } from '../positions.ts'

let app: TestApp
let city: Awaited<ReturnType<typeof makeCity>>
let shapes: Map<string, Shape>
beforeAll(async () => {
  app = await openTestApp()
  city = await makeCity(app)
  const items = await readShapes(app, city.admin, city.layers.districts)
  shapes = new Map(items.map((shape) => [shape.shape_name, shape]))
})
afterAll(() => app.close())

const makeQuestion = (overrides: Partial<SpatialQuestion> = {}) => ({
  region_id: 'alder',
  shape_layer_uuid: city.layers.districts.shape_layer_uuid,
  ...tripPeriod,
  ...overrides,
})
const queryTrips = (overrides: Partial<SpatialQuestion> = {}) =>
  call(app, city.viewer, queryTripsSpatial, { body: makeQuestion(overrides) })
const getShape = (name: string): Shape => shapes.get(name) as Shape
const makeTrips = (count: number, change: Partial<CityTrip> = {}): CityTrip[] =>
  Array.from({ length: count }, (_, index) => ({
    ...(cityTrips[20] as CityTrip),
    day: '2026-03-20',
    start: '2026-03-20 10:00:00',
    end: '2026-03-20 10:20:00',
    from: [-72.5, 41.49],
    to: [-72.51, 41.5],
    id: `more-${index}-${JSON.stringify(change)}`,
    ...change,
  }))

describe('a cached response', () => {
  it('is repeated without a query of facts', async () => {
    const first = await queryTrips({ start_date: '2026-03-01' })
    const again = await queryTrips({ start_date: '2026-03-01' })
    expect([first.from, again.from]).toEqual(['facts', 'cache'])
    expect(again.shape_data).toEqual(first.shape_data)
    // Another aggregation of the same trips needs no further query.
    expect((await queryTrips({ start_date: '2026-03-01', direction: 'destinations' })).from).toBe('cache')
  })

  it('includes a further import at once, and its removal', async () => {
    const before = await queryTrips()
    const file = await sendTrips(app, city.admin, {
      region_id: 'alder',
      file_name: 'more.csv',
      bytes: formatCsv(makeTrips(7)),
      mapping: tripMapping,
    })
    const after = await queryTrips()
    expect([after.total, after.from]).toEqual([before.total + 7, 'facts'])
    await call(app, city.admin, deleteImport, {
      params: { region_id: 'alder', import_uuid: file.import_uuid },
    })
    expect((await queryTrips()).shape_data).toEqual(before.shape_data)
  })

  it('has the first day with facts, also after an import of days before its period', async () => {
    const body = { measures: ['trips' as const], start_date: '2026-03-01', end_date: '2026-03-07' }
    const queryPeriod = async () => {
      await app.derivation.idle(['report_days'])
      return call(app, city.viewer, queryMetrics, { params: { region_id: 'alder' }, body })
    }
    const before = await queryPeriod()
    const { import_uuid } = await sendTrips(app, city.admin, {
      region_id: 'alder',
      file_name: 'earlier.csv',
      bytes: formatCsv(
        makeTrips(1, { id: 'earlier', start: '2025-12-30 10:00:00', end: '2025-12-30 10:20:00' }),
      ),
      mapping: tripMapping,
    })
    const after = await queryPeriod()
    expect([before.first_day, after.first_day]).toEqual(['2026-01-15', '2025-12-30'])
    expect(after.period).toEqual(before.period)
    await call(app, city.admin, deleteImport, { params: { region_id: 'alder', import_uuid } })
    expect((await queryPeriod()).first_day).toBe(before.first_day)
  })

  it('is not invalidated by an import into another region', async () => {
    await queryTrips()
    await sendTrips(app, city.admin, {
      region_id: 'birch',
      file_name: 'birch.csv',
      bytes: formatCsv(makeTrips(3)),
      mapping: tripMapping,
    })
    expect((await queryTrips()).from).toBe('cache')
  })

  it('shows a changed, renamed or deleted shape at once', async () => {
    const island = getShape('Alder Island')
    const params = { region_id: 'alder', shape_uuid: island.shape_uuid }
    const hash = async () =>
      (
        await call(app, city.viewer, getLayer, {
          params: { region_id: 'alder', shape_layer_uuid: island.shape_layer_uuid },
        })
      ).content_hash
    const [before, hashBefore] = [await queryTrips(), await hash()]
    await call(app, city.admin, changeShape, {
      params,
      body: {
        geom: {
          type: 'Polygon',
          coordinates: [positions('-72.6 41.4, -72.4 41.4, -72.4 41.6, -72.6 41.6, -72.6 41.4')],
        },
      },
    })
    const grown = await queryTrips()
    expect(grown.shape_data[island.shape_uuid]?.orig).toBe(
      grown.total - cityTrips.filter(({ from, day }) => from === null && day >= tripPeriod.start_date).length,
    )
    expect([grown.overlaps, before.overlaps]).toEqual([true, false])
    expect(await hash()).not.toBe(hashBefore)
    await call(app, city.admin, changeShape, { params, body: { geom: island.geom } })
    expect((await queryTrips()).shape_data).toEqual(before.shape_data)
    await call(app, city.admin, deleteShape, { params })
    const without = await queryTrips()
    expect(without.shape_data[island.shape_uuid]).toBeUndefined()
    expect(without.shape_data[notInShape]?.orig).toBe(
      (before.shape_data[notInShape]?.orig ?? 0) + (before.shape_data[island.shape_uuid]?.orig ?? 0),
    )
  })

  it('is computed once for forty concurrent requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => queryTrips({ hour_filters: [7 + (index % 2), 18] })),
    )
    expect(new Set(responses.map(({ shape_data }) => JSON.stringify(shape_data))).size).toBe(2)
  })
})

describe('trips of a shape', () => {
  it('are returned by day as a CSV file that is safe for spreadsheets', async () => {
    const harbour = getShape('Alder District 06')
    await call(app, city.admin, changeShape, {
      params: { region_id: 'alder', shape_uuid: harbour.shape_uuid },
      body: { shape_name: '=HYPERLINK("x"), 6' },
    })
    const { shape_data_by_day } = await call(app, city.viewer, queryTripsByDaySpatial, {
      body: makeQuestion(),
    })
    const response = await send(app, city.viewer, queryTripsByDaySpatial, {
      body: { ...makeQuestion(), format: 'csv' },
    })
    expect(response.headers['content-type']).toMatch(/^text\/csv/)
    expect(response.headers['content-disposition']).toBe(
      'attachment; filename="trips-by-day_alder_2026-02-20_2026-04-10.csv"',
    )
    const [header, ...lines] = response.body.trimEnd().split('\n')
    expect(header).toBe('date,shape_uuid,shape_name,origins,destinations,origins_or_destinations,value,n')
    expect(lines).toHaveLength(
      Object.values(shape_data_by_day).reduce((sum, shapes) => sum + Object.keys(shapes).length, 0),
    )
    const { orig, dest, count, n } = shape_data_by_day['2026-03-10']?.[harbour.shape_uuid] ?? {}
    expect(lines).toContain(
      `2026-03-10,${harbour.shape_uuid},"'=HYPERLINK(""x""), 6",${orig},${dest},${count},${orig},${n}`,
    )
  })

  it('include the ten thousand most recent ones, newest first, at known places', async () => {
    const listRecent = (query: Record<string, unknown>) =>
      call(app, city.viewer, queryMostRecentTrips, { query: { region_id: 'alder', ...query } })
    const newest = [...cityTrips]
      .filter(({ day }) => day >= '2026-04-01')
      .sort((a, b) => b.start.localeCompare(a.start))
    const { data } = await listRecent({ start_date: '2026-04-01' })
    expect(data).toEqual(newest.flatMap(({ from }) => (from ? [{ lon: from[0], lat: from[1] }] : [])))
    const filtered = newest.filter(
      (trip) =>
        ['alder-bikes', 'cargo-co'].includes(trip.operator) &&
        trip.vehicleType === 'moped' &&
        trip.hour >= 6 &&
        trip.hour < 20 &&
        ['2026-04-04', '2026-04-05'].includes(trip.day),
    )
    expect(
      (
        await listRecent({
          location: 'destination',
          start_date: '2026-04-01',
          operators: 'alder-bikes,cargo-co',
          vehicle_type: 'moped',
          days: '6,7',
          start_time_hour: 6,
          end_time_hour: 19,
          end_date: '2026-04-06',
        })
      ).data,
    ).toEqual(filtered.flatMap(({ to }) => (to ? [{ lon: to[0], lat: to[1] }] : [])))
    await sendTrips(app, city.admin, {
      region_id: 'birch',
      file_name: 'many.csv',
      bytes: formatCsv(
        makeTrips(10_050, { operator: 'many' }).map((trip, index) => ({
          ...trip,
          from: [-52.71, 47.5 + index / 1e6],
        })),
      ),
      mapping: tripMapping,
    })
    expect((await listRecent({ region_id: 'birch' })).data).toHaveLength(10_000)
    expect((await listRecent({ region_id: 'birch', start_date: '2031-01-01' })).data).toEqual([])
  })

  it('have an extent in time and operators', async () => {
    const params = { region_id: 'alder' }
    expect(await call(app, city.viewer, getTripsExtent, { params })).toEqual({
      trips: cityTrips.length,
      first_day: '2026-01-15',
      last_day: '2026-04-10',
      operators: ['alder-bikes', 'birch-scoot', 'cargo-co'],
      vehicle_types: ['bicycle', 'moped', 'pedal_bicycle', 'scooter'],
    })
    expect(
      (
        await call(app, city.viewer, listOperators, {
          query: { region_id: 'alder', orderBy: '-name', size: 2 },
        })
      ).items.map(({ name }) => name),
    ).toEqual(['Cargo Co', 'Birch Scoot'])
  })
})

test.each([
  ['a day that is none', { start_date: '2026-02-30' }],
  ['a day in another form', { end_date: '02/20/2026' }],
  ['hours past midnight', { hour_filters: [3, 25] }],
  ['a weekday that is none', { days: [0] }],
  ['a negative buffer', { buffer: -1 }],
  ['a buffer without end', { buffer: 1e9 }],
  ['an aggregation that is none', { direction: 'sideways' }],
  ['a vehicle type that is none', { vehicle_type: "bicycle' or 1=1" }],
  ['a layer that is no id', { shape_layer_uuid: 'districts' }],
])('%s is rejected with the field', async (_, wrong) => {
  const problem = readProblem(
    await request(app, {
      method: 'POST',
      url: '/v2/trips/spatial',
      headers: { authorization: `Bearer ${city.viewer.token}` },
      body: { ...makeQuestion(), ...wrong },
    }),
  )
  expect([
    problem.status,
    problem.issues?.some(({ path }) => path.startsWith(`body.${Object.keys(wrong)[0]}`)),
  ]).toEqual([422, true])
})

test('text that looks like SQL is only text', async () => {
  for (const text of ["'", "\\'", "x' or '1'='1", '{p0:String}', '\t\n', '%', '日本'])
    expect((await queryTrips({ operators: [text] })).total).toBe(0)
  await expect(queryTrips({ operators: ['\0'] })).rejects.toThrow('U+0000')
})
