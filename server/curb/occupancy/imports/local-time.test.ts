import { expect, test } from 'vitest'
import { dayMs } from '#contract/period.ts'
import { detectDayOrder, readFileTime, readTimeOfDay } from './local-time.ts'

const march4At8 = { day: Date.UTC(2023, 2, 4) / dayMs, seconds: 8 * 3600 }

test.each([
  '2023-03-04T08:00:00',
  '03/04/2023 08:00:00 AM',
  '4-MAR-23 08:00',
  '20230304 0800',
  'Mar 4, 2023 8:00 am',
])('%s is read as a local time', (text) => expect(readFileTime(text, 'mdy')).toEqual(march4At8))

test('Days come before months if the file has this order', () => {
  expect(readFileTime('04/03/2023 8:00', 'dmy')).toEqual(march4At8)
  expect(detectDayOrder(['03/04/2023', '13/04/2023'])).toBe('dmy')
  expect(detectDayOrder(['03/14/2023', '03/04/2023'])).toBe('mdy')
})

test('Times with an offset are instants, and impossible times are null', () => {
  expect(readFileTime('2023-03-04T08:00:00Z', 'mdy')).toEqual({ ms: Date.UTC(2023, 2, 4, 8) })
  expect(readFileTime('2023-02-30 08:00', 'mdy')).toBeNull()
  expect(readFileTime('2023-03-04 25:00', 'mdy')).toBeNull()
  expect(readTimeOfDay('12:30 a.m.')).toBe(1800)
})
