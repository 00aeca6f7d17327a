import { expect, test } from 'vitest'
import { civilClock } from '#contract/civil-clock.ts'
import { readTimeInName } from './time-in-name.ts'

test.each([
  ['columbus_scooters_20260226T183158Z.csv.gz', '2026-02-26T18:31:58Z'],
  ['311_requests_20260802T230129Z.json', '2026-08-02T23:01:29Z'],
  ['fleet 2026-07-01 08-05.csv', '2026-07-01T12:05:00Z'],
  ['2026-07-01_08-05-30.csv', '2026-07-01T12:05:30Z'],
  ['snapshot_1785619519.csv', '2026-08-01T21:25:19Z'],
  ['snapshot-1785619519000.json', '2026-08-01T21:25:19Z'],
  ['vehicles.csv', null],
  ['2026-07.csv', null],
  ['20260231T101010Z.csv', null],
  ['20260201T251010Z.csv', null],
  ['1234567890123456.csv', null],
  ['614-555-0100.csv', null],
])('%s was taken at %s', (name, text) =>
  expect(readTimeInName(name, civilClock('America/New_York'))).toBe(text && Date.parse(text)),
)
