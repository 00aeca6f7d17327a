import { expect, it } from 'vitest'
import { createDailyIssuesFile } from './daily-issues.ts'

it('has a row for each day and area, and lists issues outside of all areas last', () => {
  const file = createDailyIssuesFile(
    {
      days: ['2026-03-07', '2026-03-08'],
      shape_uuids: ['a', 'b'],
      values: [
        [3, null],
        [0, 2],
      ],
      not_in_shape: [1, 0],
      total: [4, 2],
      method: { name: 'issues', version: 1, buffer: 0 },
      milliseconds: 1,
    },
    {
      t: ((key: string) => key) as never,
      measure: 'count',
      layer: 'wards',
      names: new Map([
        ['a', 'North'],
        ['b', 'South'],
      ]),
    },
  )
  expect(file.titles).toHaveLength(4)
  expect([...file.rows]).toEqual([
    ['2026-03-07', 'North', 3, 'a'],
    ['2026-03-07', 'South', null, 'b'],
    ['2026-03-07', 'evaluation:legend.notInShape', 1, null],
    ['2026-03-08', 'North', 0, 'a'],
    ['2026-03-08', 'South', 2, 'b'],
    ['2026-03-08', 'evaluation:legend.notInShape', 0, null],
  ])
})
