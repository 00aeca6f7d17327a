import { describe, expect, it, test } from 'vitest'
import { computeFiguresByDay, computeIssueFigures } from './issues-by-shape.ts'

const issue = (day: number, shapeNumbers: number[], hours: number | null = null) => ({
  day,
  shapeNumbers,
  status: hours === null ? 'open' : 'closed',
  resolution_hours: hours,
})
const issues = [issue(0, [1]), issue(0, [1], 10), issue(0, [1, 2], 30), issue(2, [0], 4)]

describe('computeFiguresByDay', () => {
  it('counts an issue in each shape that contains it, and once in the total', () => {
    expect(computeFiguresByDay(issues, 3, 2, 'count')).toEqual({
      values: [
        [3, 1],
        [0, 0],
        [0, 0],
      ],
      not_in_shape: [0, 0, 1],
      total: [3, 0, 1],
    })
    expect(computeFiguresByDay(issues, 3, 2, 'open')).toEqual({
      values: [
        [1, 0],
        [0, 0],
        [0, 0],
      ],
      not_in_shape: [0, 0, 0],
      total: [1, 0, 0],
    })
  })

  it('returns no time if no closing time is known', () => {
    expect(computeFiguresByDay(issues, 3, 2, 'mean')).toEqual({
      values: [
        [20, 30],
        [null, null],
        [null, null],
      ],
      not_in_shape: [null, null, 4],
      total: [20, null, 4],
    })
    expect(computeFiguresByDay([...issues, issue(0, [2], 3)], 1, 2, 'median').values).toEqual([[20, 16.5]])
  })

  it('returns empty lists without days', () =>
    expect(computeFiguresByDay([], 0, 2, 'count')).toEqual({ values: [], not_in_shape: [], total: [] }))
})

const closed = (resolution_hours: number | null) => ({ status: 'closed', resolution_hours })
const open = { status: 'open', resolution_hours: null }

test('computeIssueFigures counts open issues, and computes times from issues with a known closing time', () => {
  expect(computeIssueFigures([open, closed(30), closed(null), closed(1), closed(5)])).toEqual({
    count: 5,
    open: 1,
    closed: 4,
    resolved: 3,
    median_hours: 5,
    mean_hours: 12,
  })
})

test('computeIssueFigures averages the two middle values of an even number', () => {
  expect(computeIssueFigures([closed(10), closed(1), closed(2), closed(5)])).toMatchObject({
    median_hours: 3.5,
    mean_hours: 4.5,
  })
})

test('computeIssueFigures returns no time without closed issues', () => {
  expect(computeIssueFigures([])).toEqual({
    count: 0,
    open: 0,
    closed: 0,
    resolved: 0,
    median_hours: null,
    mean_hours: null,
  })
  expect(computeIssueFigures([open, closed(null)])).toMatchObject({
    count: 2,
    resolved: 0,
    median_hours: null,
    mean_hours: null,
  })
})
