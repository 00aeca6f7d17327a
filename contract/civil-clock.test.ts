import { describe, expect, it, test } from 'vitest'
import { addDays, dayFromNumber, dayMs, dayNumber, daysBetween, hourMs, getMonthPeriod } from './period.ts'
import { civilClock, startOfDay } from './civil-clock.ts'

const step = 15 * 60_000

/** Returns local times (as if UTC) by instant, every 15 minutes between two days, and the inverse. */
function observeClock(zone: string, from: number, to: number) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const instants = new Map<number, number[]>()
  const walls: [ms: number, wall: number][] = []
  for (let ms = (from - 2) * dayMs; ms < (to + 2) * dayMs; ms += step) {
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    const wall = Date.UTC(
      part['year'] ?? 0,
      (part['month'] ?? 0) - 1,
      part['day'],
      part['hour'],
      part['minute'],
    )
    walls.push([ms, wall])
    instants.set(wall, [...(instants.get(wall) ?? []), ms])
  }
  return { walls, instants }
}

/** Interprets a skipped time with the offset before the change. */
const withPreviousOffset = (walls: [number, number][], wall: number): number => {
  let index = walls.length - 1
  while ((walls[index] as [number, number])[1] > wall || (walls[index + 1]?.[1] ?? Infinity) < wall) index--
  const [ms, before] = walls[index] as [number, number]
  return ms + (wall - before)
}

const years: [zone: string, from: string, to: string, skipped: number, repeated: number][] = [
  ['America/New_York', '2026-01-01', '2026-12-31', 4, 4],
  ['America/Los_Angeles', '2019-01-01', '2019-12-31', 4, 4],
  ['Europe/Lisbon', '2026-01-01', '2026-12-31', 4, 4],
  ['Australia/Lord_Howe', '2026-01-01', '2026-12-31', 2, 2],
  ['Asia/Kathmandu', '2026-01-01', '2026-12-31', 0, 0],
  // Changes at midnight: the first hour of a day is skipped, the last one repeated.
  ['America/Sao_Paulo', '2018-01-01', '2018-12-31', 4, 4],
  ['America/Sao_Paulo', '2020-01-01', '2020-12-31', 0, 0],
  // A negative change in winter; a whole day that was skipped.
  ['Europe/Dublin', '2026-01-01', '2026-12-31', 4, 4],
  ['Pacific/Apia', '2011-01-01', '2011-12-31', 4 + 96, 4],
  ['UTC', '2026-02-01', '2026-03-01', 0, 0],
]

describe.each(years)(
  'the clock of %s from %s to %s',
  (zone, first, last, expectedSkipped, expectedRepeated) => {
    it('agrees with a search through all instants, including skipped and repeated quarter hours', () => {
      const [from, to] = [dayNumber(first), dayNumber(last)]
      const { walls, instants } = observeClock(zone, from, to)
      const clock = civilClock(zone)
      const mismatches: unknown[] = []
      let skipped = 0
      let repeated = 0
      for (let day = from; day <= to; day++)
        for (let seconds = 0; seconds < 86_400; seconds += step / 1000) {
          const wall = day * dayMs + seconds * 1000
          const [one, two = null] = instants.get(wall) ?? []
          if (one === undefined) skipped++
          if (two !== null) repeated++
          const expected =
            one === undefined
              ? { ms: withPreviousOffset(walls, wall), skipped: true, repeatedMs: null }
              : { ms: one, skipped: false, repeatedMs: two }
          const actual = clock.instant(day, seconds + 7)
          if (
            actual.ms - 7000 !== expected.ms ||
            actual.skipped !== expected.skipped ||
            (actual.repeatedMs === null ? null : actual.repeatedMs - 7000) !== expected.repeatedMs
          )
            mismatches.push([dayFromNumber(day), seconds, actual, expected])
        }
      expect(mismatches).toEqual([])
      expect([skipped, repeated]).toEqual([expectedSkipped, expectedRepeated])
      const local = walls.filter(([ms, wall]) => {
        const { day, hour } = clock.local(ms + 61_500)
        return day !== Math.floor(wall / dayMs) || hour !== Math.floor((wall % dayMs) / hourMs)
      })
      expect(local).toEqual([])
    })
  },
)

test('A civil clock interprets 24:00 as the next midnight', () => {
  const clock = civilClock('America/New_York')
  for (const day of ['2026-03-07', '2026-03-08', '2026-10-31', '2026-11-01', '2026-12-31'].map(dayNumber))
    expect(clock.instant(day, 86_400)).toEqual(clock.instant(day + 1, 0))
})

test('A civil clock converts the times of a spring and an autumn night in New York', () => {
  const clock = civilClock('America/New_York')
  expect(clock.instant(dayNumber('2026-03-08'), 2.5 * 3600)).toEqual({
    ms: Date.parse('2026-03-08T07:30:00Z'),
    skipped: true,
    repeatedMs: null,
  })
  expect(clock.local(Date.parse('2026-03-08T07:30:00Z'))).toEqual({
    day: dayNumber('2026-03-08'),
    hour: 3,
    seconds: 3 * 3600 + 30 * 60,
  })
  expect(clock.instant(dayNumber('2026-11-01'), 1.5 * 3600)).toEqual({
    ms: Date.parse('2026-11-01T05:30:00Z'),
    skipped: false,
    repeatedMs: Date.parse('2026-11-01T06:30:00Z'),
  })
})

test.each([
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

test('daysBetween includes both ends', () => {
  expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  expect(daysBetween('2026-03-01', '2026-02-27')).toEqual([])
  expect([addDays('2026-12-31', 1), addDays('2026-03-01', -1)]).toEqual(['2027-01-01', '2026-02-28'])
})

test('getMonthPeriod returns the first and the last day', () => {
  expect(['2026-02', '2024-02', '2025-12'].map(getMonthPeriod)).toEqual([
    { start_date: '2026-02-01', end_date: '2026-02-28' },
    { start_date: '2024-02-01', end_date: '2024-02-29' },
    { start_date: '2025-12-01', end_date: '2025-12-31' },
  ])
})
