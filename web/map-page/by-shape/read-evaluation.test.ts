import { describe, expect, it } from 'vitest'
import type { SpatialResult } from '#contract/spatial.ts'
import { readEvaluation } from './read-evaluation.ts'

const figures = (value: number | null) => ({ value, n: 3, counts: { orig: 1 } })
const answer: SpatialResult = {
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
    const read = readEvaluation(answer, shapes, true)
    expect(read.rows.map(({ name, value }) => [name, value])).toEqual([
      ['Harbour', 30],
      ['Mill', 12],
    ])
    expect(read.sum).toEqual({ shapes: 42, notInShape: 8, total: 50, kind: 'exact' })
    expect(read.byShape.get('a')).toMatchObject({ value: 30, n: 3, counts: { orig: 1 } })
  })
  it('says where and why shapes may add up to more', () => {
    const kind = (aggregation: SpatialResult['aggregation']) =>
      readEvaluation({ ...answer, adds_up: 'more', aggregation }, shapes, true).sum?.kind
    expect([kind('origins'), kind('orig_or_dest'), kind('intersect'), kind('total_parking_events')]).toEqual([
      'overlaps',
      'both_ends',
      'passes',
      'overlaps',
    ])
  })
  it('has the number of trips with known routes', () => {
    const ways = { trips_with_way: 40, trips_without_way: 10 }
    expect(readEvaluation({ ...answer, aggregation: 'intersect', ways }, shapes, true).ways).toEqual(ways)
    expect(readEvaluation(answer, shapes, true).ways).toBeUndefined()
  })
  it('converts distances to the unit of the region and does not sum them', () => {
    const far: SpatialResult = {
      ...answer,
      unit: 'meters',
      adds_up: 'never',
      total: 3218.688,
      shape_data: { a: figures(1609.344), b: figures(null) },
    }
    const read = readEvaluation(far, shapes, false)
    expect([...read.rows.map((row) => row.value), read.total]).toEqual([1, null, 2])
    expect(readEvaluation(far, shapes, true).rows[0]?.value).toBeCloseTo(1.609)
    expect(read.sum).toBeNull()
  })
  it('shows durations in hours, also the counts', () => {
    const parked = readEvaluation(
      {
        ...answer,
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
  it('leaves vehicles as they are, and has no total without one', () => {
    expect(readEvaluation({ ...answer, unit: 'vehicles' }, shapes, false).rows[0]?.value).toBe(30)
    expect(readEvaluation({ ...answer, total: null, adds_up: 'never' }, shapes, false).total).toBeNull()
  })
})
