import { describe, expect, it } from 'vitest'
import { issuesQuestion, shownDay } from './issues-question.ts'
import { issuesSearch } from './issues-search.ts'

const layer = '6f1b1d1e-0000-4000-8000-000000000001'

describe('the address bar of the 311 map', () => {
  it('is read as far as it makes sense', () => {
    expect(
      issuesSearch({
        show: 'shapes',
        color: 'type',
        measure: 'median',
        layer,
        types: ['b', 'a', 'a', 17],
        status: 'open',
        resolutionTime: '24-72',
        issue: 4711,
        sort: '-resolution_time',
        page: 3,
        results: true,
        startDate: '2026-03-05',
        endDate: '2026-03-01',
      }),
    ).toEqual({
      show: 'shapes',
      color: 'type',
      measure: 'median',
      layer,
      types: ['17', 'a', 'b'],
      status: 'open',
      resolutionTime: '24-72',
      issue: '4711',
      sort: '-resolution_time',
      page: 3,
      results: true,
      startDate: '2026-03-01',
      endDate: '2026-03-05',
    })
    expect(issuesSearch({ resolutionTime: 24, types: 'a' })).toEqual({ resolutionTime: '24', types: ['a'] })
  })

  it('is silent of defaults and of nonsense', () => {
    expect(
      issuesSearch({
        show: 'points',
        color: 'status',
        measure: 'count',
        colors: 'tide',
        sort: '-requested_time',
        page: 1,
        types: ['a,b', '', null],
        status: 'lost',
        resolutionTime: 'soon',
        issue: '',
        layer: '7',
        period: 'ever',
        view: [200, 0, 3],
      }),
    ).toEqual({})
    expect(issuesSearch({ sort: 'toString', resolutionTime: '-', page: -2, issue: { a: 1 } })).toEqual({})
  })
})

describe('time in the address bar', () => {
  it('is a day, or another period of shapes, never both', () => {
    expect(issuesSearch({ by: 'day', at: '2026-03-02', under: ['weather', 'issues'] })).toEqual({
      by: 'day',
      at: '2026-03-02',
      under: ['weather'],
    })
    expect(issuesSearch({ by: 'hour_of_day', at: '7' })).toEqual({})
    const compared = { show: 'shapes', compareStart: '2026-02-09', compareEnd: '2026-02-01', percent: true }
    expect(issuesSearch({ ...compared, by: 'day', at: '2026-03-02' })).toEqual({
      ...compared,
      compareStart: '2026-02-01',
      compareEnd: '2026-02-09',
    })
    expect(issuesSearch({ ...compared, show: undefined, sideBySide: true, by: 'day' })).toEqual({ by: 'day' })
    expect(issuesSearch({ show: 'shapes', sideBySide: true, percent: true })).toEqual({ show: 'shapes' })
  })

  it('is of a day of the period', () => {
    const march = { start_date: '2026-03-01', end_date: '2026-03-31' }
    expect([
      shownDay({ at: '2026-03-02' }, march),
      shownDay({ by: 'day', at: '2026-03-02' }, march),
      shownDay({ by: 'day' }, march),
      shownDay({ by: 'day', at: '2026-04-01' }, march),
    ]).toEqual([null, '2026-03-02', '2026-03-01', '2026-03-01'])
  })
})

it('asks for what the address bar says', () => {
  expect(issuesQuestion({}, '2026-03-15')).toEqual({ start_date: '2025-10-01', end_date: '2026-03-15' })
  expect(
    issuesQuestion(
      {
        startDate: '2026-03-01',
        endDate: '2026-03-02',
        types: ['a', 'b'],
        status: 'closed',
        resolutionTime: '72-',
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
