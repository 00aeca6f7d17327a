import { expect, it } from 'vitest'
import { readTripFilters } from './read-trip-filters.ts'

const read = (search: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(readTripFilters(search)).filter(([, value]) => value !== undefined))

it('reads what makes sense, in order and each once', () => {
  expect(
    read({
      startDate: '2026-03-05',
      endDate: '2026-03-01',
      days: [7, 1, 1],
      hours: [9, 7],
      operators: ['tern', 'swift', 'tern'],
      vehicleType: 'moped',
    }),
  ).toEqual({
    startDate: '2026-03-01',
    endDate: '2026-03-05',
    days: [1, 7],
    hours: [7, 9],
    operators: ['swift', 'tern'],
    vehicleType: 'moped',
  })
})

it('days that are said go before a period that moves', () => {
  expect([read({ period: 'last30Days', startDate: '2026-03-05' }), read({ period: 'ever' })]).toEqual([
    { startDate: '2026-03-05', endDate: '2026-03-05' },
    {},
  ])
})

it('the whole week, the whole day and what makes no sense are absent', () => {
  expect(
    read({ days: [1, 2, 3, 4, 5, 6, 7], hours: [0, 24], operators: ['../x', 5], vehicleType: 'toString' }),
  ).toEqual({})
  // Whatever somebody writes into an address, nothing breaks.
  const hostile = JSON.parse('{"toString":1,"valueOf":1}') as unknown
  expect(
    read({ days: [hostile, 8, 1.5], hours: [hostile, 3], operators: hostile, startDate: hostile }),
  ).toEqual({})
})
