import { expect, it } from 'vitest'
import { toRoutesQuestion } from './routes-question.ts'

it('requests what the URL selects', () => {
  expect(toRoutesQuestion({}, '2026-03-15')).toEqual({ start_date: '2025-10-01', end_date: '2026-03-15' })
  expect(
    toRoutesQuestion(
      {
        start_date: '2026-03-01',
        end_date: '2026-03-02',
        days: [1, 7],
        hours: [7, 9],
        operators: ['a', 'b'],
        vehicle_types: ['moped', 'scooter'],
      },
      '2026-03-15',
    ),
  ).toEqual({
    start_date: '2026-03-01',
    end_date: '2026-03-02',
    days: '1,7',
    start_time_hour: 7,
    end_time_hour: 8,
    operators: 'a,b',
    vehicle_types: 'moped,scooter',
  })
})
