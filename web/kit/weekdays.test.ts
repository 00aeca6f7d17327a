import { expect, it } from 'vitest'
import { isWeekend, formatWeekday, orderedWeekdays } from './weekdays.ts'

it('a week starts on Sunday by default', () => {
  expect(orderedWeekdays()).toEqual([7, 1, 2, 3, 4, 5, 6])
  expect(orderedWeekdays(1)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(orderedWeekdays(6)).toEqual([6, 7, 1, 2, 3, 4, 5])
})

it('treats days 6 and 7 as the weekend', () =>
  expect([1, 2, 3, 4, 5, 6, 7].filter(isWeekend)).toEqual([6, 7]))

it('names of days depend on the language', () => {
  expect(orderedWeekdays(1).map((day) => formatWeekday(day, 'en-US', 'long'))).toEqual([
    'Monday',
    'Tuesday',
    'Wednesday',
    'Thursday',
    'Friday',
    'Saturday',
    'Sunday',
  ])
  expect(formatWeekday(7, 'es', 'short')).toBe('dom')
})
