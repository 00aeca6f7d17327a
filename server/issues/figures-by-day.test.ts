import { describe, expect, it } from 'vitest'
import { figuresByDay } from './figures-by-day.ts'

const issue = (day: number, places: number[], hours: number | null = null) => ({
  day,
  places,
  status: hours === null ? 'open' : 'closed',
  resolution_hours: hours,
})
const issues = [issue(0, [1]), issue(0, [1], 10), issue(0, [1, 2], 30), issue(2, [0], 4)]

describe('issues by day and shape', () => {
  it('are counted in each of their shapes, and once in the whole', () => {
    expect(figuresByDay(issues, 3, 2, 'count')).toEqual({
      values: [
        [3, 1],
        [0, 0],
        [0, 0],
      ],
      not_in_shape: [0, 0, 1],
      total: [3, 0, 1],
    })
    expect(figuresByDay(issues, 3, 2, 'open')).toEqual({
      values: [
        [1, 0],
        [0, 0],
        [0, 0],
      ],
      not_in_shape: [0, 0, 0],
      total: [1, 0, 0],
    })
  })

  it('have no time where none is known', () => {
    expect(figuresByDay(issues, 3, 2, 'mean')).toEqual({
      values: [
        [20, 30],
        [null, null],
        [null, null],
      ],
      not_in_shape: [null, null, 4],
      total: [20, null, 4],
    })
    expect(figuresByDay([...issues, issue(0, [2], 3)], 1, 2, 'median').values).toEqual([[20, 16.5]])
  })

  it('of no day are nothing', () =>
    expect(figuresByDay([], 0, 2, 'count')).toEqual({ values: [], not_in_shape: [], total: [] }))
})
