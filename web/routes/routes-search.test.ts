import { expect, it } from 'vitest'
import { routesQuestion } from './routes-question.ts'
import { routesSearch } from './routes-search.ts'

it('reads what makes sense and leaves out the rest', () => {
  expect(
    routesSearch({
      route: 2715618803558721,
      direction: 'east',
      days: [7, 1, 1],
      hours: [9, 7],
      operators: ['tern', '../x'],
      vehicleType: 'moped',
      startDate: '2026-03-05',
      endDate: '2026-03-01',
      results: true,
    }),
  ).toEqual({
    route: '2715618803558721',
    direction: 'east',
    days: [1, 7],
    hours: [7, 9],
    operators: ['tern'],
    vehicleType: 'moped',
    startDate: '2026-03-01',
    endDate: '2026-03-05',
    results: true,
  })
  expect(
    routesSearch({
      route: 'a1',
      direction: 'forward',
      days: [1, 2, 3, 4, 5, 6, 7],
      hours: [0, 24],
      vehicleType: 'toString',
      period: 'ever',
      colors: 'tide',
      view: [200, 0, 3],
    }),
  ).toEqual({})
})

it('asks for what the address bar says', () => {
  expect(routesQuestion({}, '2026-03-15')).toEqual({ start_date: '2025-10-01', end_date: '2026-03-15' })
  expect(
    routesQuestion(
      {
        startDate: '2026-03-01',
        endDate: '2026-03-02',
        days: [1, 7],
        hours: [7, 9],
        operators: ['a', 'b'],
        vehicleType: 'moped',
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
    vehicle_type: 'moped',
  })
})
