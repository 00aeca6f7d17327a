import { expect, it } from 'vitest'
import { startOfDay } from './civil-clock.ts'

it.each([
  ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z'],
  ['2026-03-09', 'America/New_York', '2026-03-09T04:00:00.000Z'],
  ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
  // A half hour of summer time.
  ['2026-04-05', 'Australia/Lord_Howe', '2026-04-04T13:00:00.000Z'],
  ['2026-04-06', 'Australia/Lord_Howe', '2026-04-05T13:30:00.000Z'],
  // The clock skips midnight: the day begins at one.
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ['2026-06-01', 'Pacific/Kiritimati', '2026-05-31T10:00:00.000Z'],
  ['2026-06-01', 'Pacific/Pago_Pago', '2026-06-01T11:00:00.000Z'],
])('%s in %s begins at %s', (day, zone, begins) => {
  expect(new Date(startOfDay(day, zone)).toISOString()).toBe(begins)
})
