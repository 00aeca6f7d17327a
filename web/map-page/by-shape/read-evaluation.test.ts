import { describe, expect, it } from 'vitest'
import type { SpatialResult } from '#contract/spatial.ts'
import { readEvaluation } from './read-evaluation.ts'

const figures = (value: number | null) => ({ value, n: 3, counts: { orig: 1 } })
const response: SpatialResult = {
  shape_data: { a: figures(30), b: figures(12), NOT_IN_SHAPE: figures(8) },
  mode: 'trips',
  adds_up: 'exact',
  total: 50,
  aggregation: 'origins',
  unit: 'trips',
  days: 10,
  method: { name: 'origins', version: 1, buffer: 0 },
  milliseconds: 12,
  from: 'facts',
}
const shapes = [
  { shape_uuid: 'a', shape_name: 'Harbour' },
  { shape_uuid: 'b', shape_name: 'Mill' },
  { shape_uuid: 'c', shape_name: 'New' },
]

describe('readEvaluation', () => {
  it('names and sums the rows', () => {
    const evaluation = readEvaluation(response, shapes, true)
    expect(evaluation.rows.map(({ name, value }) => [name, value])).toEqual([
      ['Harbour', 30],
      ['Mill', 12],
    ])
    expect(evaluation.sum).toEqual({ shapes: 42, notInShape: 8, total: 50, kind: 'exact' })
    expect(evaluation.byShape.get('a')).toMatchObject({ value: 30, n: 3, counts: { orig: 1 } })
  })
  it('reports why shapes may add up to more than the total', () => {
    const kind = (aggregation: SpatialResult['aggregation']) =>
      readEvaluation({ ...response, adds_up: 'more', aggregation }, shapes, true).sum?.kind
    expect([kind('origins'), kind('orig_or_dest'), kind('intersect'), kind('total_parking_events')]).toEqual([
      'overlaps',
      'both_ends',
      'passes',
      'overlaps',
    ])
  })
  it('retains the number of trips with known routes', () => {
    const ways = { trips_with_way: 40, trips_without_way: 10 }
    expect(readEvaluation({ ...response, aggregation: 'intersect', ways }, shapes, true).ways).toEqual(ways)
    expect(readEvaluation(response, shapes, true).ways).toBeUndefined()
  })
  it('converts distances to the unit of the region and does not sum them', () => {
    const distances: SpatialResult = {
      ...response,
      unit: 'meters',
      adds_up: 'never',
      total: 3218.688,
      shape_data: { a: figures(1609.344), b: figures(null) },
    }
    const evaluation = readEvaluation(distances, shapes, false)
    expect([...evaluation.rows.map((row) => row.value), evaluation.total]).toEqual([1, null, 2])
    expect(readEvaluation(distances, shapes, true).rows[0]?.value).toBeCloseTo(1.609)
    expect(evaluation.sum).toBeNull()
  })
  it('converts durations to hours, also in counts', () => {
    const parked = readEvaluation(
      {
        ...response,
        unit: 'minutes',
        shape_data: { a: { value: 90, n: 2, counts: { count: 2, total_parked_duration: 90 } } },
      },
      shapes,
      false,
    )
    expect(parked).toMatchObject({
      unit: 'hours',
      rows: [{ value: 1.5, counts: { count: 2, total_parked_duration: 1.5 } }],
    })
  })
  it('does not convert vehicles, and retains a missing total', () => {
    expect(readEvaluation({ ...response, unit: 'vehicles' }, shapes, false).rows[0]?.value).toBe(30)
    expect(readEvaluation({ ...response, total: null, adds_up: 'never' }, shapes, false).total).toBeNull()
  })
})
