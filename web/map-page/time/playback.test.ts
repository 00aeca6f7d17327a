import { describe, expect, it } from 'vitest'
import type { SpatialByTime } from '#contract/spatial.ts'
import { testEvaluation } from '../by-shape/test-evaluation.ts'
import { Playback } from './playback.ts'

const response: SpatialByTime = {
  buckets: ['2026-03-01', '2026-03-02'],
  shape_uuids: ['b', 'a', 'x'],
  values: [
    [1, 2, 9],
    [0, 40, 9],
  ],
  not_in_shape: [3, null],
  total: [6, 40],
  unit: 'trips',
  method: { name: 'origins', version: 1, buffer: 0 },
  milliseconds: 2,
  from: 'cubes',
}
const shapes = [
  { shape_uuid: 'a', shape_name: 'Harbour' },
  { shape_uuid: 'b', shape_name: 'Mill' },
  { shape_uuid: 'c', shape_name: 'New' },
]
const playback = new Playback({
  response,
  by: 'day',
  overall: testEvaluation({ a: 42, b: 1 }),
  shapes,
  isMetric: true,
})

describe('Playback', () => {
  it('has an evaluation of the known shapes for each bucket', () => {
    expect(playback.resultAt(0).rows.map(({ name, value }) => [name, value])).toEqual([
      ['Harbour', 2],
      ['Mill', 1],
    ])
    expect(playback.resultAt(1)).toMatchObject({
      total: 40,
      days: 1,
      notInShape: { value: null },
      sum: { shapes: 40, notInShape: 0, total: 40, kind: 'exact' },
    })
    expect(playback.resultAt(1)).toBe(playback.resultAt(1))
  })
  it('has the same bins in all buckets', () => {
    expect(playback.bins.map((bin) => bin.from)).toEqual([1, 2, 40])
    expect(playback.states(0).get('a')).toEqual({ bin: 1 })
    expect(playback.states(1).get('a')).toEqual({ bin: 2 })
    expect(playback.states(1).get('b')).toEqual({ bin: -1 })
  })
  it('converts distances to the unit of the region, and retains unknown values', () => {
    const distances = new Playback({
      response: {
        ...response,
        unit: 'meters',
        values: [
          [1609.344, null, 0],
          [0, 0, 0],
        ],
        total: [3218.688, null],
      },
      by: 'hour_of_day',
      overall: { ...testEvaluation({}), sum: null },
      shapes,
      isMetric: false,
    })
    expect(distances.resultAt(0).byShape.get('b')?.value).toBe(1)
    expect(distances.resultAt(0)).toMatchObject({ total: 2, sum: null, days: 3 })
    expect(distances.states(0).get('a')).toEqual({ bin: -2 })
  })
  it('has no values for a missing bucket', () =>
    expect(playback.resultAt(9).rows.every((row) => row.value === null)).toBe(true))
})

it('computes a step of 5,000 shapes quickly', () => {
  const ids = Array.from({ length: 5000 }, (_, index) => `s${index}`)
  const values = Array.from({ length: 24 }, (_, hour) => ids.map((_, index) => (index * 7 + hour * 13) % 501))
  const manyShapes = new Playback({
    response: {
      ...response,
      buckets: values.map((_, hour) => String(hour)),
      shape_uuids: ids,
      values,
      not_in_shape: values.map(() => 0),
      total: values.map(() => 1),
    },
    by: 'hour_of_day',
    overall: testEvaluation({}),
    shapes: ids.map((id) => ({ shape_uuid: id, shape_name: id })),
    isMetric: true,
  })
  // The fastest of several steps, because the machine may be busy.
  const steps = Array.from({ length: 23 }, (_, index) => {
    const start = performance.now()
    expect(manyShapes.states(index + 1).size).toBe(5000)
    expect(manyShapes.resultAt(index + 1).rows).toHaveLength(5000)
    return performance.now() - start
  })
  expect(Math.min(...steps)).toBeLessThan(50)
})
