import { expect, it } from 'vitest'
import { parseHour } from './hours-field.tsx'

it.each([
  ['9', 9],
  ['17:00', 17],
  ['1700', 17],
  ['24', 24],
  ['5 PM', 17],
  ['5:00 p.m.', 17],
  ['12 AM', 0],
  ['12:00 PM', 12],
  ['17 PM', 17],
  ['', null],
  ['noon', null],
])('reads the hour %j', (typed, hour) => expect(parseHour(typed)).toBe(hour))
