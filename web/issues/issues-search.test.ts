import { describe, expect, it } from 'vitest'
import { toIssuesQuestion, getShownDay } from './issues-question.ts'
import { issuesSearch } from './issues-search.ts'

describe('the URL of the 311 map', () => {
  it('accepts ids and codes of digits, but no code with a comma', () => {
    expect(issuesSearch({ issue: 4711, types: ['b', 'a', 'a', 17, 'c,d'], resolution_time: 24 })).toEqual({
      issue: '4711',
      types: ['17', 'a', 'b'],
      resolution_time: '24',
    })
    expect(issuesSearch({ resolution_time: 'soon', sort: 'toString' })).toEqual({})
  })
})

describe('time in the URL', () => {
  it('is either a day, or a compared period of shapes, never both', () => {
    expect(issuesSearch({ by: 'day', at: '2026-03-02', under: ['weather', 'issues'] })).toEqual({
      by: 'day',
      at: '2026-03-02',
      under: ['weather'],
    })
    expect(issuesSearch({ by: 'hour_of_day', at: '7' })).toEqual({})
    const compared = {
      show: 'shapes',
      compare_start_date: '2026-02-09',
      compare_end_date: '2026-02-01',
      percent: true,
    }
    expect(issuesSearch({ ...compared, by: 'day', at: '2026-03-02' })).toEqual({
      ...compared,
      compare_start_date: '2026-02-01',
      compare_end_date: '2026-02-09',
    })
    expect(issuesSearch({ ...compared, show: undefined, side_by_side: true, by: 'day' })).toEqual({
      by: 'day',
    })
    expect(issuesSearch({ show: 'shapes', side_by_side: true, percent: true })).toEqual({ show: 'shapes' })
  })

  it('must be a day of the period', () => {
    const march = { start_date: '2026-03-01', end_date: '2026-03-31' }
    expect([
      getShownDay({ at: '2026-03-02' }, march),
      getShownDay({ by: 'day', at: '2026-03-02' }, march),
      getShownDay({ by: 'day' }, march),
      getShownDay({ by: 'day', at: '2026-04-01' }, march),
    ]).toEqual([null, '2026-03-02', '2026-03-01', '2026-03-01'])
  })
})

it('determines the question', () => {
  expect(toIssuesQuestion({}, '2026-03-15')).toEqual({ start_date: '2025-10-01', end_date: '2026-03-15' })
  expect(
    toIssuesQuestion(
      {
        start_date: '2026-03-01',
        end_date: '2026-03-02',
        types: ['a', 'b'],
        status: 'closed',
        resolution_time: '72-',
        issue: 'x',
        sort: 'id',
      },
      '2026-03-15',
    ),
  ).toEqual({
    start_date: '2026-03-01',
    end_date: '2026-03-02',
    service_code: 'a,b',
    status: 'closed',
    resolution_time: '72-',
  })
})
