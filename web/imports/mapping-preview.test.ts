import { expect, it } from 'vitest'
import { formatTripValue } from './mapping-preview.tsx'

it.each([
  ['start_time', '2026-07-03T14:00:00.000Z', 'Jul 3, 2026, 10:00 AM'],
  ['end_time', null, ''],
  ['start_lon', -79.90000000001, '-79.9'],
  ['trip_id', 'r1', 'r1'],
  ['more', { a: 1 }, '{"a":1}'],
])('%s %s reads %s', (key, value, text) => expect(formatTripValue(key, value, 'America/New_York')).toBe(text))
