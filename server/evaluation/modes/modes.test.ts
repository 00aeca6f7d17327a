import { describe, expect, it } from 'vitest'
import type { Layer } from '#contract/geography.ts'
import { aggregations, spatialModes } from '#contract/map-names.ts'
import { SpatialUnit } from '#contract/spatial.ts'
import { readQueryTime } from '../query-time.ts'
import { modes } from './modes.ts'
import { type QueryContext, readSumRow, type SumRow, getSettledMs } from './mode.ts'

const minute = 60_000
const row = (sums: Record<string, number>, operator: string | null = null): SumRow => ({
  shape: 1,
  bucket: '',
  operator,
  sums,
})
const span = { days: 4, ms: 10 * 60 * minute }

describe('each mode', () => {
  it.each(spatialModes.flatMap((name) => aggregations[name].map((aggregation) => ({ name, aggregation }))))(
    '$name has a unit for $aggregation, and figures of a shape without facts',
    ({ name, aggregation }) => {
      const mode = modes[name]
      expect(SpatialUnit.options).toContain(mode.getUnit(aggregation))
      const { value, n, counts } = mode.figures(aggregation, { rows: [], regionRows: [], span })
      expect(n).toBe(0)
      expect(value === null || value === 0).toBe(true)
      expect(Object.values(counts).every((count) => count === 0)).toBe(true)
      expect(mode.isMean(aggregation)).toBe(/^average_(parked|origin|destination)/.test(aggregation))
    },
  )
})

describe('trips', () => {
  const rows = [
    row({ orig: 8, dest: 4, either: 10, orig_measured: 5, dest_measured: 0, orig_mm: 5_000_000, dest_mm: 0 }),
  ]
  const getFigures = (aggregation: (typeof aggregations.trips)[number]) =>
    modes.trips.figures(aggregation, { rows, regionRows: rows, span })
  it('returns the values of the trips map', () => {
    expect(getFigures('origins')).toEqual({ value: 8, n: 8, counts: { orig: 8, dest: 4, count: 10 } })
    expect(getFigures('daily_destinations')).toMatchObject({ value: 1, n: 4 })
    expect(getFigures('orig_or_dest')).toMatchObject({ value: 10, n: 10 })
    expect(getFigures('average_origin_distance')).toMatchObject({ value: 1000, n: 5 })
    expect(getFigures('average_destination_distance')).toMatchObject({ value: null, n: 0 })
  })
})

describe('parking', () => {
  const rows = [row({ events: 8, length_ms: 80 * minute, parked_ms: 30 * minute })]
  const input = { rows, regionRows: rows, span }
  it('returns events, durations within the period, and means of full durations', () => {
    expect(modes.parking.figures('total_parking_events', input)).toEqual({
      value: 8,
      n: 8,
      counts: { count: 8, total_parked_duration: 30 },
    })
    expect(modes.parking.figures('daily_parking_events', input).value).toBe(2)
    expect(modes.parking.figures('total_parked_duration', input).value).toBe(30)
    expect(modes.parking.figures('average_parked_duration', input).value).toBe(10)
    expect(
      modes.parking.figures('daily_parking_events', { ...input, span: { days: 0, ms: 0 } }).value,
    ).toBeNull()
  })

  it('settles when open parking events can no longer change the result', () => {
    const time = readQueryTime(
      { start_date: '2026-03-01', end_date: '2026-03-01', days: [], hour_filters: [0, 23] },
      'UTC',
    )
    const settled = (
      now: number,
      parkedMinutes: number,
      aggregation: QueryContext['aggregation'] = 'total_parking_events',
    ) => getSettledMs({ time, now, parkedMinutes, aggregation } as QueryContext)
    expect(settled(time.until - 1, 0)).toBe(time.until - 1)
    expect(settled(time.until + 5 * minute, 0)).toBe(time.until)
    expect(settled(time.until + 5 * minute, 60)).toBe(time.until + 5 * minute)
    expect(settled(time.until + 90 * minute, 60)).toBe(time.until + 60 * minute)
    expect(settled(time.until + 90 * minute, 60, 'average_parked_duration')).toBe(time.until + 90 * minute)
  })
})

describe('distribution', () => {
  const rows = [
    row({ available_ms: 60 * minute, non_operational_ms: 60 * minute }, 'lark'),
    row({ available_ms: 480 * minute }, 'heron'),
  ]
  const regionRows = [...rows, row({ reserved_ms: 1800 * minute }, 'lark')]
  it('returns averages by state and operator, and the share of the fleet', () => {
    expect(modes.distribution.figures('average_vehicles', { rows, regionRows, span })).toEqual({
      value: 1,
      n: 10,
      counts: {
        available: 0.9,
        reserved: 0,
        non_operational: 0.1,
        non_contactable: 0,
        'operator:lark': 0.2,
        'operator:heron': 0.8,
      },
    })
    expect(modes.distribution.figures('average_available', { rows, regionRows, span })).toMatchObject({
      value: 0.9,
      n: 9,
    })
    expect(modes.distribution.figures('average_non_operational', { rows, regionRows, span })).toMatchObject({
      value: 0.1,
      n: 1,
    })
    expect(modes.distribution.figures('share_of_fleet', { rows, regionRows, span }).value).toBe(25)
    expect(
      modes.distribution.figures('average_vehicles', { rows: [], regionRows: [], span: { days: 1, ms: 0 } })
        .value,
    ).toBeNull()
  })
})

describe('intersect', () => {
  it('is rejected for layers without routes', () => {
    expect(() => modes.trips.check?.('intersect', { intersect_route: false } as Layer)).toThrow(
      'not set up for routes',
    )
    expect(() => modes.trips.check?.('intersect', { intersect_route: true } as Layer)).not.toThrow()
    expect(() => modes.trips.check?.('origins', { intersect_route: false } as Layer)).not.toThrow()
  })

  it('counts trips that intersect, with and without a known route', () => {
    const rows = [row({ passing: 9, with_route: 7 })]
    expect(modes.trips.figures('intersect', { rows, regionRows: rows, span })).toEqual({
      value: 9,
      n: 9,
      counts: { with_way: 7, without_way: 2 },
    })
    expect(modes.trips.routeCounts?.('intersect', rows)).toEqual({ trips_with_way: 7, trips_without_way: 2 })
    expect(modes.trips.routeCounts?.('origins', rows)).toBeNull()
    expect([modes.trips.getUnit('intersect'), modes.trips.isMean('intersect')]).toEqual(['trips', false])
  })

  it('has a basis of its own, and needs routes', () => {
    const contextWith = (aggregation: QueryContext['aggregation']) => ({ aggregation }) as QueryContext
    expect(modes.trips.basis(contextWith('intersect'))).not.toEqual(modes.trips.basis(contextWith('origins')))
    expect([
      modes.trips.needsRoutes?.('intersect'),
      modes.trips.needsRoutes?.('orig_or_dest'),
      modes.parking.needsRoutes,
    ]).toEqual([true, false, undefined])
    expect(() => modes.trips.query(contextWith('intersect'), { indexes: [], selected: null })).toThrow(
      'not indexed',
    )
  })
})

describe('readSumRow', () => {
  it('reads keys and sums, with days and hours as buckets', () => {
    expect(readSumRow({ shape: 3, bucket: '7', events: '12' })).toEqual({
      shape: 3,
      bucket: '7',
      operator: null,
      sums: { events: 12 },
    })
    expect(readSumRow({ shape: 3, day: '2026-03-01', orig: '1', operator: 'lark' })).toEqual({
      shape: 3,
      bucket: '2026-03-01',
      operator: 'lark',
      sums: { orig: 1 },
    })
    expect(readSumRow({ shape: 0, hour: 0, orig: '1' }).bucket).toBe('0')
  })
})
