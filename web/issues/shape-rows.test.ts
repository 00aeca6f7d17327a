import { describe, expect, it } from 'vitest'
import type { IssuesByShape } from '#contract/issues.ts'
import { toShapeRows, toShapesEvaluation } from './shape-rows.ts'

const figures = (count: number, open: number, hours: number | null) => ({
  count,
  open,
  closed: count - open,
  resolved: hours === null ? 0 : count - open,
  median_hours: hours,
  mean_hours: hours === null ? null : hours + 1,
})
const response: IssuesByShape = {
  shape_data: { a: figures(5, 2, 30), b: figures(3, 3, null), NOT_IN_SHAPE: figures(2, 1, 4) },
  total: figures(10, 6, 20),
  overlaps: false,
  method: { name: 'issues_by_shape', version: 1, buffer: 0 },
  milliseconds: 1,
}
const shapes = [
  { shape_uuid: 'a', shape_name: 'Ash' },
  { shape_uuid: 'b', shape_name: 'Birch' },
  { shape_uuid: 'new', shape_name: 'New' },
]

describe('issues by shape', () => {
  it.each([
    ['count', [5, 3]],
    ['open', [2, 3]],
    ['median', [30, null]],
    ['mean', [31, null]],
  ] as const)('show %s', (measure, values) => {
    expect(toShapeRows(response, shapes, measure).map(({ name, value }) => [name, value])).toEqual([
      ['Ash', values[0]],
      ['Birch', values[1]],
    ])
  })

  it('have the sample size of times', () => {
    expect(toShapeRows(response, shapes, 'median').map(({ n }) => n)).toEqual([3, 0])
    expect(toShapeRows(response, shapes, 'count')[0]?.n).toBeNull()
  })

  it('add up to all issues, except for times', () => {
    const evaluationFor = (some: Partial<IssuesByShape>, measure: 'count' | 'open' | 'mean') =>
      toShapesEvaluation({ ...response, ...some }, toShapeRows(response, shapes, measure), measure, 31)
    expect(evaluationFor({}, 'count')).toMatchObject({
      sum: { shapes: 8, notInShape: 2, total: 10, kind: 'exact' },
      total: 10,
      notInShape: { value: 2, n: null },
      unit: 'events',
      days: 31,
    })
    expect(evaluationFor({ overlaps: true }, 'open').sum).toEqual({
      shapes: 5,
      notInShape: 1,
      total: 6,
      kind: 'overlaps',
    })
    expect(evaluationFor({}, 'mean')).toMatchObject({
      sum: null,
      total: 21,
      notInShape: { value: 5, n: 1 },
      unit: 'hours',
    })
    expect(evaluationFor({}, 'count').byShape.get('b')?.value).toBe(3)
  })
})
