import { afterEach, describe, expect, it, vi } from 'vitest'
import { spatialModes } from '#contract/map-names.ts'
import { fakeServer } from '#web/data/test-server.ts'
import { allCounts, getCountKeys } from '#web/map-page/by-shape/map-mode.ts'
import evaluation from '../evaluation.en.json' with { type: 'json' }
import { panelFields } from '../panel-fields.tsx'
import { mapModes } from './map-modes.ts'

afterEach(() => vi.unstubAllGlobals())

const has = (texts: object, path: string): boolean =>
  path
    .split('.')
    .reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
      texts,
    ) !== undefined

describe.each(spatialModes)('the map of %s', (key) => {
  const mode = mapModes[key]

  it('a map has only existing fields, each once, and offers valid aggregations', () => {
    expect(mode.key).toBe(key)
    expect(new Set(mode.fields).size).toBe(mode.fields.length)
    for (const field of mode.fields) expect(panelFields).toHaveProperty(field)
    expect(mode.fields.includes('parkedDuration')).toBe(key === 'parking')
  })

  it('a map has all of its texts', () => {
    const expected = [
      ...mode.aggregations.flatMap((aggregation) =>
        ['name', 'unit_one', 'unit_other', 'definition'].map((text) => `aggregation.${aggregation}.${text}`),
      ),
      ...allCounts(mode).map((count) => `counts.${key}.${count}`),
      ...['title', 'text', 'action'].map((text) => `empty.facts.${key}.${text}`),
      ...(mode.heat
        ? [`heat.hint.${key}`, `heat.points.${key}`, ...mode.heat.places.map((place) => `heat.${place}`)]
        : []),
    ]
    expect(expected.filter((path) => !has(evaluation, path))).toEqual([])
  })
})

it('trips through shapes have their own counts: with and without a known route', () => {
  expect(getCountKeys(mapModes.trips, 'intersect')).toEqual(['with_way', 'without_way'])
  expect(getCountKeys(mapModes.trips, 'origins')).toEqual(['orig', 'dest', 'count'])
  expect(allCounts(mapModes.parking)).toEqual([...mapModes.parking.counts])
})

describe('heat', () => {
  const search = {
    heat: 'destination',
    hours: [7, 9],
    days: [1, 2],
    operators: ['a', 'b'],
    parked_duration: 2880,
    start_date: '2026-03-01',
    end_date: '2026-03-09',
  } as const
  const load = (key: 'trips' | 'parking') =>
    mapModes[key].heat!.load(
      { ...search, hours: [7, 9], days: [1, 2], operators: ['a', 'b'], vehicle_types: ['moped'] },
      'cala',
      '2026-11-21',
      new AbortController().signal,
    )

  it('heat uses the filters of the trips map', async () => {
    const { requests } = fakeServer({
      'GET /v2/trips/most_recent_10k': () => ({ data: [{ lon: 1, lat: 2 }] }),
    })
    expect(await load('trips')).toEqual([{ lon: 1, lat: 2 }])
    expect(Object.fromEntries(requests[0]!.query)).toEqual({
      region_id: 'cala',
      location: 'destination',
      start_date: '2026-03-01',
      end_date: '2026-03-09',
      start_time_hour: '7',
      end_time_hour: '8',
      days: '1,2',
      operators: 'a,b',
      vehicle_types: 'moped',
    })
  })

  it('heat uses the parking filters under its own names', async () => {
    const { requests } = fakeServer({
      'GET /v2/regions/cala/parking_events': () => ({ data: [{ startLon: 1, startLat: 2 }] }),
    })
    expect(await load('parking')).toEqual([{ lon: 1, lat: 2 }])
    expect(Object.fromEntries(requests[0]!.query)).toEqual({
      startDate: '2026-03-01',
      endDate: '2026-03-09',
      startTime: '07:00',
      endTime: '09:00',
      days: '1,2',
      operators: 'a,b',
      vehicleTypes: 'moped',
      minParkingDuration: '2880',
    })
  })
})
