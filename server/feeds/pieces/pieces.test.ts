import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localDay } from '#contract/period.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { requestedPullWindow } from './due-pull-windows'
import { pullWindowAt, pullWindowsBetween } from './pull-window'
import { newPullWindows } from './plan-pull-windows'
import { retryWait } from './record-outcome.ts'

const hour = 3_600_000
const at = Date.parse('2026-05-01T12:30:00Z')
const asked = { settings: {}, timezone: 'America/New_York' }
const texts = (pieces: Iterable<{ from: number }>): string[] =>
  [...pieces].map(({ from }) => new Date(from).toISOString().slice(0, 16))

describe('pieces', () => {
  it('are hours of UTC, local days and months', () => {
    expect(pullWindowAt('hour', at, 'Asia/Kolkata')).toEqual({ from: at - hour / 2, until: at + hour / 2 })
    expect(
      texts([pullWindowAt('day', at, 'Asia/Kolkata')!, pullWindowAt('month', at, 'America/New_York')!]),
    ).toEqual(['2026-04-30T18:30', '2026-05-01T04:00'])
    expect([pullWindowAt('now', at, 'UTC'), pullWindowAt('window', at, 'UTC')]).toEqual([null, null])
  })
  it('of days follow the clock changes', () => {
    const days = [
      ...pullWindowsBetween(
        'day',
        Date.parse('2026-03-07T12:00:00Z'),
        Date.parse('2026-03-10T12:00:00Z'),
        'America/New_York',
      ),
    ]
    expect(days.map(({ from, until }) => (until - from) / hour)).toEqual([24, 23, 24])
    // Where midnight is skipped the day begins with the moment after.
    expect(new Date(startOfDay('2024-04-26', 'Africa/Cairo')).toISOString()).toBe('2024-04-25T22:00:00.000Z')
  })
  it('have no gap and no overlap, in any zone', () => {
    const zones = fc.constantFrom(
      'UTC',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Pacific/Kiritimati',
      'Africa/Cairo',
      'America/Santiago',
    )
    fc.assert(
      fc.property(
        zones,
        fc.constantFrom('hour' as const, 'day' as const, 'month' as const),
        fc.integer({ min: 1_600_000_000, max: 1_900_000_000 }),
        (zone, by, second) => {
          const piece = pullWindowAt(by, second * 1000, zone)!
          expect(piece.from <= second * 1000 && second * 1000 < piece.until).toBe(true)
          expect(pullWindowAt(by, piece.until, zone)?.from).toBe(piece.until)
          expect(pullWindowAt(by, piece.from - 1, zone)?.until).toBe(piece.from)
          const days = [piece.from, piece.until - 1].map((at) => localDay(new Date(at), zone))
          expect(by !== 'day' || days[0] === days[1]).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('new pieces', () => {
  const events = { name: 'events', by: 'hour' as const }
  it('are at first those of a day, or as the settings say', () => {
    expect(newPullWindows(events, asked, null, at)).toHaveLength(24)
    expect(texts(newPullWindows(events, { ...asked, settings: { backfillHours: 2 } }, null, at))).toEqual([
      '2026-05-01T10:00',
      '2026-05-01T11:00',
    ])
    expect(texts(newPullWindows(events, { ...asked, settings: { backfillHours: 0 } }, null, at))).toEqual([
      '2026-05-01T11:00',
    ])
    expect(newPullWindows(events, { ...asked, settings: { backfillHours: 'many' } }, null, at)).toHaveLength(
      24,
    )
  })
  it('are later those since the last known, however long ago', () => {
    expect(newPullWindows(events, asked, at - hour / 2 - hour, at)).toEqual([])
    expect(newPullWindows(events, asked, Date.parse('2026-04-01T00:00:00Z'), at)).toHaveLength(
      30 * 24 + 12 - 1,
    )
  })
  it('of days and months begin with the last that is over', () => {
    expect(texts(newPullWindows({ name: 'r', by: 'day' }, asked, null, at))).toEqual(['2026-04-30T04:00'])
    expect(texts(newPullWindows({ name: 'r', by: 'month' }, asked, null, at))).toEqual(['2026-04-01T04:00'])
    expect(
      texts(newPullWindows({ name: 'r', by: 'month' }, asked, Date.parse('2026-02-01T05:00:00Z'), at)),
    ).toEqual(['2026-03-01T05:00', '2026-04-01T04:00'])
  })
})

describe('a window', () => {
  const due = { stream: 'recent', windowStart: 0, tries: 0, known: null }
  const stream = { name: 'recent', by: 'window' as const }
  it('goes from the last success to now, with a little overlap, and never over two weeks', () => {
    expect(requestedPullWindow(stream, due, asked, at)).toEqual({ from: at - 24 * hour, until: at })
    expect(requestedPullWindow(stream, { ...due, known: at - 60_000 }, asked, at)).toEqual({
      from: at - 360_000,
      until: at,
    })
    expect(requestedPullWindow(stream, { ...due, known: at - 900 * hour }, asked, at)).toEqual({
      from: at - 336 * hour,
      until: at,
    })
    expect(requestedPullWindow({ name: 'status', by: 'now' }, due, asked, at)).toEqual({
      from: at,
      until: at,
    })
  })
})

describe('the wait after a failure', () => {
  it('doubles from a minute to an hour, a fifth more or less', () => {
    expect([1, 2, 3, 4, 7, 50].map((tries) => retryWait(tries, null, () => 0.5) / 60_000)).toEqual([
      1, 2, 4, 8, 60, 60,
    ])
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 500 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (tries, chance) => {
          const wait = retryWait(tries, null, () => chance)
          expect(wait >= 60_000 && wait <= hour).toBe(true)
        },
      ),
    )
    expect(retryWait(3, null, () => 0)).toBeLessThan(retryWait(3, null, () => 1))
  })
  it('is never less than the server asks for', () => expect(retryWait(1, 3 * hour)).toBe(3 * hour))
})
