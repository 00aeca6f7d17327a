import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { notInShape } from '#contract/evaluation.ts'
import { changeLayer, type Layer } from '#contract/geography.ts'
import {
  getCensus,
  getDeploymentsByShape,
  getLayerCensus,
  getParkingByShape,
  getParkingByShapeAndDay,
  getParkingLegend,
  getParkingTile,
  getTripsByShape,
  getVehicleCountsByShape,
} from '#contract/layer-figures.ts'
import { queryParkingByDaySpatial, queryParkingSpatial, listParkingEvents } from '#contract/parking.ts'
import { aggregations } from '#contract/map-names.ts'
import { hourMs } from '#contract/period.ts'
import {
  querySpatial,
  querySpatialByTime,
  downloadSpatialByDay,
  getSpatialExtent,
  SpatialRequest,
  type SpatialMode,
} from '#contract/spatial.ts'
import { type VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { call, openTestApp, readProblem, request, send, type TestApp } from '../app.ts'
import { makeCity, readShapes, storeFleet } from '../city.ts'
import { fleetEvents, fleetPeriod, plainFleetFacts } from '../city/fleet.ts'
import { holdsGrown } from '../city/plain-geometry.ts'
import { plainMaps } from '../city/plain-maps.ts'
import { districts, zones } from '../city/shapes.ts'
import { tripPeriod } from '../city/trips.ts'

let app: TestApp
let city: Awaited<ReturnType<typeof makeCity>>
const shapesByLayer = { districts, zones } as const
type LayerKey = keyof typeof shapesByLayer
let layers: Record<LayerKey, Layer>
const shapeIdsByName = new Map<string, string>()
const params = { region_id: 'alder' }
const fleetModes = ['parking', 'distribution', 'drop_offs'] as const
const fleetFacts = plainFleetFacts(fleetEvents, 48)

beforeAll(async () => {
  app = await openTestApp()
  city = await makeCity(app)
  layers = { districts: city.layers.districts, zones: city.layers.zones }
  for (const layer of Object.values(layers))
    for (const { shape_uuid, shape_name } of await readShapes(app, city.viewer, layer))
      shapeIdsByName.set(`${layer.shape_layer_uuid} ${shape_name}`, shape_uuid)
  await storeFleet(app, city)
})
afterAll(() => app.close())

type MapQuestion = Partial<SpatialRequest> & { mode: SpatialMode }
const makeBody = (layer: LayerKey, { mode, ...overrides }: MapQuestion): SpatialRequest =>
  SpatialRequest.parse({
    mode,
    aggregation: aggregations[mode][0],
    shape_layer_uuid: layers[layer].shape_layer_uuid,
    ...fleetPeriod,
    ...overrides,
  })
const getShapeIds = (layer: LayerKey): string[] =>
  shapesByLayer[layer].map(
    ({ name }) => shapeIdsByName.get(`${layers[layer].shape_layer_uuid} ${name}`) ?? '',
  )

/** Computes the value of each shape, NOT_IN_SHAPE and the total by a plain count. */
function countPlainly(layer: LayerKey, body: SpatialRequest, bucket: 'day' | 'hour_of_day' | null = null) {
  const shapes = shapesByLayer[layer].map((_, index) => ({ number: index + 1, rings: [] }))
  return plainMaps(
    shapes,
    { ...fleetFacts, trips: [] },
    {
      request: body,
      bucket,
      selected: null,
      timezone: 'America/New_York',
      lostAfterHours: 48,
      now: Date.now(),
      holds: (number, lon, lat) =>
        holdsGrown(
          (shapesByLayer[layer][number - 1] as (typeof districts)[number]).geometry,
          [lon, lat],
          body.buffer,
        ),
    },
  )
}
const closeTo = (value: number | null | undefined): unknown =>
  value === null || value === undefined ? null : expect.closeTo(value, 6)

describe('a map', () => {
  it.each(fleetModes.flatMap((mode) => aggregations[mode].map((aggregation) => ({ mode, aggregation }))))(
    'equals a plain count by $aggregation',
    async ({ mode, aggregation }) => {
      // All filters on both layers are tested in test/engines/maps-by-shape.test.ts.
      const variants: [LayerKey, Partial<SpatialRequest>][] = [
        ['districts', {}],
        ['zones', { buffer: 50 }],
        ['zones', { days: [1, 3, 7], hour_filters: [1, 8], operators: ['alder-bikes', 'cargo-co'] }],
        ['districts', { vehicle_type: 'other', parked_duration: 240 }],
      ]
      for (const [layer, overrides] of variants) {
        const body = makeBody(layer, { mode, aggregation, ...overrides })
        const response = await call(app, city.viewer, querySpatial, { params, body })
        const expected = countPlainly(layer, body)
        const ids = [notInShape, ...getShapeIds(layer)]
        expect(
          Object.fromEntries(
            Object.entries(response.shape_data).map(([id, { value, n }]) => [id, [value, n]]),
          ),
        ).toEqual(
          Object.fromEntries(
            ids.map((id, index) => [
              id,
              [closeTo(expected.get(` ${index}`)?.value), closeTo(expected.get(` ${index}`)?.n)],
            ]),
          ),
        )
        expect(response.total).toEqual(closeTo(expected.get(' all')?.value))
        expect(response).toMatchObject({
          mode,
          aggregation,
          method: { name: aggregation, version: 1, buffer: body.buffer },
        })
      }
    },
  )

  it('has the totals of its shapes', async () => {
    const expectToAddUp = async (layer: LayerKey, question: MapQuestion) =>
      (await call(app, city.viewer, querySpatial, { params, body: makeBody(layer, question) })).adds_up
    for (const mode of fleetModes) {
      expect(await expectToAddUp('districts', { mode })).toBe('exact')
      expect(await expectToAddUp('zones', { mode })).toBe('more')
    }
    expect(
      await expectToAddUp('districts', { mode: 'parking', aggregation: 'average_parked_duration' }),
    ).toBe('never')
    expect(await expectToAddUp('districts', { mode: 'distribution', aggregation: 'share_of_fleet' })).toBe(
      'exact',
    )
    const share = await call(app, city.viewer, querySpatial, {
      params,
      body: makeBody('districts', { mode: 'distribution', aggregation: 'share_of_fleet' }),
    })
    expect([share.total, share.unit]).toEqual([expect.closeTo(100, 9), 'share'])
  })

  it('includes states and operators in a distribution', async () => {
    const { shape_data } = await call(app, city.viewer, querySpatial, {
      params,
      body: makeBody('zones', { mode: 'distribution' }),
    })
    const { value, counts } = shape_data[getShapeIds('zones')[0] ?? ''] ?? { value: null, counts: {} }
    const sum = (isIncluded: (name: string) => boolean): number =>
      Object.entries(counts).reduce((all, [name, count]) => all + (isIncluded(name) ? count : 0), 0)
    expect(
      Object.keys(counts)
        .filter((name) => name.startsWith('operator:'))
        .toSorted(),
    ).toEqual(['operator:alder-bikes', 'operator:birch-scoot', 'operator:cargo-co'])
    expect(sum((name) => name.startsWith('operator:'))).toBeCloseTo(value ?? NaN, 9)
    expect(sum((name) => !name.startsWith('operator:'))).toBeCloseTo(value ?? NaN, 9)
  })
})

describe('a map by hour, by day and as a file', () => {
  it.each([...fleetModes, 'trips' as const].map((mode) => ({ mode })))(
    'has the same values for $mode',
    async ({ mode }) => {
      const body = makeBody('zones', { mode, days: [5, 6, 7, 1], hour_filters: [0, 21] })
      const days = await call(app, city.viewer, querySpatialByTime, {
        params,
        body: { ...body, bucket: 'day' },
      })
      expect([days.buckets.length, days.buckets[0], days.shape_uuids.length]).toEqual([10, '2026-03-04', 5])
      const file = Buffer.from(
        await call(app, city.viewer, downloadSpatialByDay, { params, body }),
      ).toString()
      const lines = file
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.replaceAll(/"[^"]*"/g, 'a name').split(','))
      expect(lines).toHaveLength(5 * 6)
      for (const [date, isSelected] of [
        ['2026-03-08', true],
        ['2026-03-09', true],
        ['2026-03-10', false],
      ] as const) {
        const at = days.buckets.indexOf(date)
        const alone = await call(app, city.viewer, querySpatial, {
          params,
          body: { ...body, days: [], start_date: date, end_date: date },
        })
        for (const [shape, id] of [...days.shape_uuids.entries(), [-1, notInShape] as const]) {
          const value = shape < 0 ? days.not_in_shape[at] : days.values[at]?.[shape]
          expect(value).toEqual(isSelected ? closeTo(alone.shape_data[id]?.value) : null)
          const line = lines.find(([day, uuid]) => day === date && uuid === id)
          expect(line === undefined ? null : Number(line[3])).toEqual(value)
        }
        expect(days.total[at]).toEqual(isSelected ? closeTo(alone.total) : null)
      }
      const hours = await call(app, city.viewer, querySpatialByTime, {
        params,
        body: { ...body, bucket: 'hour_of_day' },
      })
      for (const hour of [2, 21, 22]) {
        const alone = await call(app, city.viewer, querySpatial, {
          params,
          body: { ...body, hour_filters: [hour, hour] },
        })
        expect(hours.values[hour]).toEqual(
          hours.shape_uuids.map((id) => (hour < 22 ? closeTo(alone.shape_data[id]?.value) : null)),
        )
      }
    },
  )

  it('is downloaded with a name and a content type', async () => {
    const response = await send(app, city.viewer, downloadSpatialByDay, {
      params,
      body: makeBody('districts', { mode: 'parking' }),
    })
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(response.headers['content-disposition']).toBe(
      'attachment; filename="parking-by-day_alder_2026-03-04_2026-03-13.csv"',
    )
    expect(response.body.split('\n')[0]).toBe(
      'date,shape_uuid,shape_name,value,unit,n,count,total_parked_duration',
    )
    expect(response.body.split('\n')[1]).toMatch(/^2026-03-04,[0-9a-f-]{36},Alder District 01,\d+,events,/)
  })
})

describe('legacy calls of maps', () => {
  const query = {
    ...fleetPeriod,
    operators: 'alder-bikes, birch-scoot',
    days: '1,2,3',
    start_time_hour: 5,
    end_time_hour: 19,
  }
  const body = {
    operators: ['alder-bikes', 'birch-scoot'],
    days: [1, 2, 3],
    hour_filters: [5, 19] as [number, number],
  }
  it('return the values of a layer', async () => {
    const path = { ...params, shape_layer_uuid: layers.zones.shape_layer_uuid }
    for (const [endpoint, mode] of [
      [getTripsByShape, 'trips'],
      [getParkingByShape, 'parking'],
      [getDeploymentsByShape, 'drop_offs'],
      [getVehicleCountsByShape, 'distribution'],
    ] as const) {
      const expected = await call(app, city.viewer, querySpatial, {
        params,
        body: makeBody('zones', { mode, ...body }),
      })
      const {
        milliseconds: _ms,
        from: _from,
        ...response
      } = await call(app, city.viewer, endpoint as typeof getTripsByShape, { params: path, query })
      expect(expected).toMatchObject(response)
      expect(
        readProblem(
          await send(app, city.viewer, endpoint as typeof getTripsByShape, {
            params: path,
            query: { ...query, aggregation: 'no_such' },
          }),
        ).issues,
      ).toEqual([{ path: 'query.aggregation', message: expect.stringContaining('One of') as string }])
    }
  })

  it('return parking by shape and by day', async () => {
    const question = {
      region_id: 'alder',
      shape_layer_uuid: layers.zones.shape_layer_uuid,
      ...fleetPeriod,
      ...body,
      direction: 'average_parked_duration' as const,
      parked_duration: 60,
    }
    const expected = await call(app, city.viewer, querySpatial, {
      params,
      body: makeBody('zones', {
        mode: 'parking',
        aggregation: 'average_parked_duration',
        parked_duration: 60,
        ...body,
      }),
    })
    const response = await call(app, city.viewer, queryParkingSpatial, { body: question })
    for (const [id, { value, n, counts }] of Object.entries(expected.shape_data))
      expect(response.shape_data[id]).toEqual({
        value,
        n,
        count: counts['count'],
        total_parked_duration: counts['total_parked_duration'],
      })
    expect(
      (await call(app, city.viewer, queryParkingSpatial, { body: { ...question, direction: 'orig' } }))
        .aggregation,
    ).toBe('total_parking_events')
    const { shape_data_by_day: days } = await call(app, city.viewer, queryParkingByDaySpatial, {
      body: question,
    })
    for (const id of [notInShape, ...getShapeIds('zones')])
      expect(Object.values(days).reduce((sum, shapes) => sum + (shapes[id]?.count ?? 0), 0)).toBe(
        response.shape_data[id]?.count,
      )
    expect(
      (await send(app, city.viewer, queryParkingByDaySpatial, { body: { ...question, format: 'csv' } }))
        .headers['content-type'],
    ).toBe('text/csv; charset=utf-8')
    const filters = {
      params: { ...params, shape_layer_uuid: question.shape_layer_uuid },
      query: { ...query, aggregation: 'average_parked_duration', parked_duration: 60 },
    }
    const byDay = await call(app, city.viewer, getParkingByShapeAndDay, filters)
    expect(Object.keys(byDay.shape_data_by_day)).toEqual(Object.keys(days))
    const features = (
      await send(app, city.viewer, getParkingByShapeAndDay, {
        ...filters,
        query: { ...filters.query, format: 'geojson' },
      })
    ).json<{
      features: {
        id: string
        geometry: { type: string }
        properties: { days: Record<string, { value: number }> }
      }[]
    }>().features
    expect(features).toHaveLength(5)
    for (const { id, properties } of features)
      for (const [day, { value }] of Object.entries(properties.days))
        expect(value).toBe(byDay.shape_data_by_day[day]?.[id]?.value)
  })

  it('return tiles with the values, cached only under the version of their legend', async () => {
    const path = { ...params, shape_layer_uuid: layers.districts.shape_layer_uuid }
    const legend = await call(app, city.viewer, getParkingLegend, { params: path, query: fleetPeriod })
    const { shape_data } = await call(app, city.viewer, getParkingByShape, {
      params: path,
      query: fleetPeriod,
    })
    expect(legend.bins.reduce((sum, { count }) => sum + count, legend.zeros + legend.none)).toBe(
      districts.length,
    )
    expect(legend.max).toBe(Math.max(...getShapeIds('districts').map((id) => shape_data[id]?.value ?? 0)))
    const readTile = (v?: string) =>
      send(app, city.viewer, getParkingTile, {
        params: { ...path, z: 10, x: 305, y: 381 },
        query: { ...fleetPeriod, ...(v === undefined ? {} : { v }) },
      })
    const tile = await readTile(legend.v)
    const found = new VectorTile(new PbfReader(gunzipSync(tile.rawPayload))).layers['shapes']
    expect(found?.length).toBeGreaterThan(10)
    for (let at = 0; at < (found?.length ?? 0); at++) {
      const { shape_uuid, value, n } = found?.feature(at).properties ?? {}
      expect({ value, n }).toEqual({
        value: shape_data[String(shape_uuid)]?.value,
        n: shape_data[String(shape_uuid)]?.n,
      })
    }
    expect(tile.headers['cache-control']).toBe('private, max-age=31536000, immutable')
    for (const v of [undefined, 'older', `0.${layers.districts.content_hash}`])
      expect((await readTile(v)).headers['cache-control']).toBe('no-store')
    // The current day has different values at different times.
    const today = new Date().toISOString().slice(0, 10)
    expect(
      (
        await call(app, city.viewer, getParkingLegend, {
          params: path,
          query: { start_date: today, end_date: today },
        })
      ).v,
    ).toBeUndefined()
    expect(
      readProblem(
        await send(app, city.viewer, getParkingTile, {
          params: { ...path, z: 1, x: 5, y: 0 },
          query: fleetPeriod,
        }),
      ).status,
    ).toBe(404)
  })

  it('return places of parking events, newest first', async () => {
    const parkingEvents = fleetFacts.parkingEvents.filter(
      ({ lon, lat, from, to, operator, type }) =>
        !Number.isNaN(lon + lat) &&
        to - from >= 90 * 60_000 &&
        operator !== 'cargo-co' &&
        type === 'bicycle' &&
        from >= Date.UTC(2026, 2, 9, 4) &&
        from < Date.UTC(2026, 2, 12, 4) &&
        new Date(from).getUTCHours() - 4 >= 6 &&
        new Date(from).getUTCHours() - 4 < 18,
    )
    const { data } = await call(app, city.viewer, listParkingEvents, {
      params,
      query: {
        startDate: '2026-03-09',
        endDate: '2026-03-11',
        startTime: '06:00',
        endTime: '18',
        operators: 'alder-bikes,birch-scoot',
        vehicleTypes: 'bicycle',
        minParkingDuration: 90,
        purposes: 'any',
      },
    })
    expect(data.length).toBeGreaterThan(5)
    expect(data).toEqual(
      parkingEvents
        .toSorted((a, b) => b.from - a.from)
        .map(({ lon, lat }) => ({ startLon: lon, startLat: lat })),
    )
    const tuesday = await call(app, city.viewer, listParkingEvents, {
      params,
      query: {
        startDate: '2026-03-09',
        endDate: '2026-03-11',
        startTime: '06:00',
        endTime: '18',
        operators: 'alder-bikes,birch-scoot',
        vehicleTypes: 'bicycle',
        days: '2',
        minParkingDuration: 90,
      },
    })
    expect(tuesday.data).toEqual(
      parkingEvents
        .filter(({ from }) => new Date(from - 4 * hourMs).getUTCDay() === 2)
        .toSorted((a, b) => b.from - a.from)
        .map(({ lon, lat }) => ({ startLon: lon, startLat: lat })),
    )
    expect(tuesday.data.length).toBeLessThan(data.length)
    expect(
      readProblem(
        await send(app, city.viewer, listParkingEvents, {
          params,
          query: { startDate: '2026-03-09', endDate: '2026-03-11', startTime: '9', endTime: '9' },
        }),
      ).status,
    ).toBe(422)
  })

  it('return census figures of shapes that have any', async () => {
    const shape_layer_uuid = layers.zones.shape_layer_uuid
    const { items } = await call(app, city.viewer, getLayerCensus, {
      params: { ...params, shape_layer_uuid },
    })
    expect(items.map((item) => item.shape_uuid).toSorted()).toEqual(getShapeIds('zones').toSorted())
    expect(
      items.every(({ pctNonwhite, medianIncome }) => pctNonwhite === null && medianIncome === null),
    ).toBe(true)
    expect(await call(app, city.viewer, getCensus, { query: { ...params, shape_layer_uuid } })).toEqual({
      items,
    })
  })

  it('return the options of filters', async () => {
    for (const [mode, count] of [
      ['parking', fleetFacts.parkingEvents.length],
      ['drop_offs', fleetFacts.dropOffs.length],
    ] as const)
      expect(await call(app, city.viewer, getSpatialExtent, { params, query: { mode } })).toEqual({
        facts: count,
        first_day: expect.stringMatching(/^2026-03-0[34]$/) as string,
        last_day: '2026-03-13',
        operators: ['alder-bikes', 'birch-scoot', 'cargo-co'],
        vehicle_types: ['bicycle', 'other', 'scooter_standing'],
      })
    expect(
      (await call(app, city.viewer, getSpatialExtent, { params, query: { mode: 'distribution' } }))
        .vehicle_types,
    ).toEqual(['bicycle', 'other', 'scooter_standing'])
    expect(
      (await call(app, city.viewer, getSpatialExtent, { params, query: { mode: 'trips' } })).facts,
    ).toBeGreaterThan(2000)
    expect(
      await call(app, city.viewer, getSpatialExtent, {
        params: { region_id: 'birch' },
        query: { mode: 'parking' },
      }),
    ).toEqual({ facts: 0, first_day: null, last_day: null, operators: [], vehicle_types: [] })
  })
})

test('trips through shapes count by start and end with a note if no route is known', async () => {
  const body = makeBody('zones', { mode: 'trips', aggregation: 'intersect', ...tripPeriod })
  await call(app, city.admin, changeLayer, {
    params: { ...params, shape_layer_uuid: layers.zones.shape_layer_uuid },
    body: { intersect_route: true },
  })
  for (const overrides of [
    {},
    { buffer: 50, days: [1, 3] },
    { shape_filter: getShapeIds('zones')[0] ?? null },
  ]) {
    const through = await call(app, city.viewer, querySpatial, { params, body: { ...body, ...overrides } })
    const ends = await call(app, city.viewer, querySpatial, {
      params,
      body: { ...body, ...overrides, shape_filter: null, aggregation: 'orig_or_dest' },
    })
    const expected = Object.fromEntries(getShapeIds('zones').map((id) => [id, ends.shape_data[id]?.value]))
    const selected = 'shape_filter' in overrides ? overrides.shape_filter : null
    expect(through.ways).toEqual({ trips_with_way: 0, trips_without_way: through.total })
    expect(through.total).toBe(selected ? expected[selected] : ends.total)
    expect(
      selected
        ? through.shape_data[selected]?.value
        : Object.fromEntries(getShapeIds('zones').map((id) => [id, through.shape_data[id]?.value])),
    ).toEqual(selected ? expected[selected] : expected)
  }
  const { values, not_in_shape, total } = await call(app, city.viewer, querySpatialByTime, {
    params,
    body: { ...body, bucket: 'hour_of_day' },
  })
  const whole = await call(app, city.viewer, querySpatial, { params, body })
  const sum = (numbers: readonly (number | null | undefined)[]): number =>
    numbers.reduce<number>((all, value) => all + (value ?? 0), 0)
  expect([sum(values.map(([first]) => first)), sum(not_in_shape), sum(total)]).toEqual([
    whole.shape_data[getShapeIds('zones')[0] ?? '']?.value,
    whole.shape_data[notInShape]?.value,
    whole.total,
  ])
})

describe('an invalid map request', () => {
  const url = '/v2/regions/alder/spatial'
  const post = (at: string, body: object) =>
    request(app, { method: 'POST', url: at, headers: { authorization: `Bearer ${city.viewer.token}` }, body })
  it('is rejected with its field and advice', async () => {
    const body = makeBody('districts', { mode: 'parking' })
    expect(readProblem(await post(url, { ...body, aggregation: 'origins' })).detail).toContain(
      'The aggregation is of another map',
    )
    expect(readProblem(await post(url, { ...body, mode: 'trips', aggregation: 'intersect' }))).toMatchObject({
      status: 422,
      detail: expect.stringContaining('routes') as string,
    })
    expect(
      readProblem(
        await post(url, {
          ...body,
          shape_layer_uuid: layers.districts.shape_layer_uuid.replace(/^./, (first) =>
            first === '0' ? '1' : '0',
          ),
        }),
      ),
    ).toMatchObject({ status: 404, code: 'not_found' })
    expect(readProblem(await post(url, { ...body, shape_filter: getShapeIds('zones')[0] })).status).toBe(404)
    expect(readProblem(await post('/v2/regions/birch/spatial', body)).status).toBe(404)
    for (const wrong of [
      { start_date: '2026-02-30' },
      { hour_filters: [9, 24] },
      { buffer: 1e9 },
      { parked_duration: -1 },
      { days: [8] },
      { mode: 'all' },
    ])
      expect(readProblem(await post(url, { ...body, ...wrong })).status).toBe(422)
    for (const text of ["'", "x' or '1'='1", '日本', '%'])
      expect(
        (await call(app, city.viewer, querySpatial, { params, body: { ...body, operators: [text] } })).total,
      ).toBe(0)
  })

  it('is rejected for too many values, while five years are accepted', async () => {
    const years = makeBody('districts', { mode: 'parking', start_date: '2022-01-01', end_date: '2026-12-31' })
    expect(
      (await call(app, city.viewer, querySpatialByTime, { params, body: { ...years, bucket: 'day' } }))
        .buckets,
    ).toHaveLength(1826)
    const ages = { ...years, start_date: '0001-01-01', end_date: '9999-12-31' }
    const problem = readProblem(await post(`${url}/by_time`, { ...ages, bucket: 'day' }))
    expect([problem.status, problem.detail]).toEqual([
      422,
      'That would be 94,953,534 values, but a response contains at most 2,000,000. Choose fewer days, or a layer with fewer shapes.',
    ])
    expect(readProblem(await post(`${url}/by_day.csv`, ages)).status).toBe(422)
    expect((await call(app, city.viewer, querySpatial, { params, body: ages })).total).toBe(
      (await call(app, city.viewer, querySpatial, { params, body: years })).total,
    )
  })
})

test('a response is cached as long as it is valid', async () => {
  const body = makeBody('districts', { mode: 'drop_offs', operators: ['birch-scoot', 'alder-bikes'] })
  const before = await call(app, city.viewer, querySpatial, { params, body })
  const again = await call(app, city.viewer, querySpatial, {
    params,
    body: { ...body, operators: ['alder-bikes', 'birch-scoot'], aggregation: 'daily_drop_offs' },
  })
  expect(again.from).toBe('cache')
  expect(again.total).toBeCloseTo((before.total ?? NaN) / 10, 9)
  await storeFleet(app, city, [
    {
      ...(fleetEvents.find(
        ({ operator, types }) => operator === 'alder-bikes' && types.includes('provider_drop_off'),
      ) as VehicleEvent),
      eventId: '00000abc-0000-4000-8000-00000000f1ee',
      time: Date.UTC(2026, 2, 10, 15, 30, 7),
    },
  ])
  // Cached responses are discarded at most every ten seconds while feeds are pulled.
  await expect
    .poll(async () => (await call(app, city.viewer, querySpatial, { params, body })).total, {
      timeout: 20_000,
      interval: 500,
    })
    .toBe((before.total ?? NaN) + 1)
})
