import { expect, it } from 'vitest'
import { parseLocalTime } from './missing-form.tsx'

it.each([
  ['2026-08-08T08:51', '2026-08-08T12:51:00.000Z'],
  ['2026-01-08T08:51:25', '2026-01-08T13:51:25.000Z'],
  ['2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
  ['', null],
  ['2026-02-30T10:00', null],
  ['2026-08-08', null],
])('%j is %s', (text, moment) => expect(parseLocalTime(text, 'America/New_York')).toBe(moment))
