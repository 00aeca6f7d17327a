import { expect, it } from 'vitest'
import { formatMonth } from '#web/kit/dates/calendar-text.ts'
import { toPublicRows } from './public-routes-table.tsx'

it('combines the columns of a public response into rows', () => {
  expect(
    toPublicRows({
      month: '2026-02',
      privacy_minimum: 10,
      route_share: 0.61,
      segment_ids: ['1', '2'],
      trips: [10, 44],
      street: [1, 0],
      boxes: [
        [0, 0, 1, 1],
        [1, 1, 2, 2],
      ],
      streets: ['A', 'B'],
    }),
  ).toEqual([
    { id: '1', street: 'B', trips: 10, box: [0, 0, 1, 1] },
    { id: '2', street: 'A', trips: 44, box: [1, 1, 2, 2] },
  ])
})

it('names months in any time zone', () => {
  expect([formatMonth('2026-02', 'en-US'), formatMonth('2025-12', 'es')]).toEqual([
    'February 2026',
    'diciembre de 2025',
  ])
})
