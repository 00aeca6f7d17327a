import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hourMs, localDay } from '#contract/period.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { getRequestedPullWindow } from './due-pull-windows.ts'
import { pullWindowAt, pullWindowsBetween } from './pull-window.ts'
import { listNewPullWindows } from './plan-pull-windows.ts'
import { getRetryDelay } from './retry-delay.ts'

const at = Date.parse('2026-05-01T12:30:00Z')
const feed = { settings: {}, timezone: 'America/New_York' }
const format = (windows: Iterable<{ from: number }>): string[] =>
  [...windows].map(({ from }) => new Date(from).toISOString().slice(0, 16))

describe('pull windows', () => {
  it('pull windows are UTC hours, local days and months', () => {
    expect(pullWindowAt('hour', at, 'Asia/Kolkata')).toEqual({
      from: at - hourMs / 2,
      until: at + hourMs / 2,
    })
    expect(
      format([pullWindowAt('day', at, 'Asia/Kolkata')!, pullWindowAt('month', at, 'America/New_York')!]),
    ).toEqual(['2026-04-30T18:30', '2026-05-01T04:00'])
    expect([pullWindowAt('now', at, 'UTC'), pullWindowAt('recent', at, 'UTC')]).toEqual([null, null])
  })
  it('pull windows follow clock changes', () => {
    const days = [
      ...pullWindowsBetween(
        'day',
        Date.parse('2026-03-07T12:00:00Z'),
        Date.parse('2026-03-10T12:00:00Z'),
        'America/New_York',
      ),
    ]
    expect(days.map(({ from, until }) => (until - from) / hourMs)).toEqual([24, 23, 24])
    // If the clock skips midnight, the day starts at the first instant after the gap.
    expect(new Date(startOfDay('2024-04-26', 'Africa/Cairo')).toISOString()).toBe('2024-04-25T22:00:00.000Z')
  })
  it('pull windows have no gap and no overlap, in any zone', () => {
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
        (zone, window, second) => {
          const span = pullWindowAt(window, second * 1000, zone)!
          expect(span.from <= second * 1000 && second * 1000 < span.until).toBe(true)
          expect(pullWindowAt(window, span.until, zone)?.from).toBe(span.until)
          expect(pullWindowAt(window, span.from - 1, zone)?.until).toBe(span.from)
          const days = [span.from, span.until - 1].map((at) => localDay(new Date(at), zone))
          expect(window !== 'day' || days[0] === days[1]).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('new pull windows', () => {
  const events = { name: 'events', window: 'hour' as const }
  it('new pull windows initially cover one day or the configured hours', () => {
    expect(listNewPullWindows(events, feed, null, at)).toHaveLength(24)
    expect(format(listNewPullWindows(events, { ...feed, settings: { backfillHours: 2 } }, null, at))).toEqual(
      ['2026-05-01T10:00', '2026-05-01T11:00'],
    )
    expect(format(listNewPullWindows(events, { ...feed, settings: { backfillHours: 0 } }, null, at))).toEqual(
      ['2026-05-01T11:00'],
    )
    expect(
      listNewPullWindows(events, { ...feed, settings: { backfillHours: 'many' } }, null, at),
    ).toHaveLength(24)
  })
  it('new pull windows then cover the time since the last one, however long ago', () => {
    expect(listNewPullWindows(events, feed, at - hourMs / 2 - hourMs, at)).toEqual([])
    expect(listNewPullWindows(events, feed, Date.parse('2026-04-01T00:00:00Z'), at)).toHaveLength(
      30 * 24 + 12 - 1,
    )
  })
  it('new pull windows initially cover the last day or month that has ended', () => {
    expect(format(listNewPullWindows({ name: 'r', window: 'day' }, feed, null, at))).toEqual([
      '2026-04-30T04:00',
    ])
    expect(format(listNewPullWindows({ name: 'r', window: 'month' }, feed, null, at))).toEqual([
      '2026-04-01T04:00',
    ])
    expect(
      format(
        listNewPullWindows({ name: 'r', window: 'month' }, feed, Date.parse('2026-02-01T05:00:00Z'), at),
      ),
    ).toEqual(['2026-03-01T05:00', '2026-04-01T04:00'])
  })
})

describe('the requested range', () => {
  const due = { stream: 'recent', windowStart: 0, tries: 0, pulledUntil: null }
  const stream = { name: 'recent', window: 'recent' as const }
  it('extends from the last success to now, with a small overlap, and at most over two weeks', () => {
    expect(getRequestedPullWindow(stream, due, feed, at)).toEqual({ from: at - 24 * hourMs, until: at })
    expect(getRequestedPullWindow(stream, { ...due, pulledUntil: at - 60_000 }, feed, at)).toEqual({
      from: at - 360_000,
      until: at,
    })
    expect(getRequestedPullWindow(stream, { ...due, pulledUntil: at - 900 * hourMs }, feed, at)).toEqual({
      from: at - 336 * hourMs,
      until: at,
    })
    expect(getRequestedPullWindow({ name: 'status', window: 'now' }, due, feed, at)).toEqual({
      from: at,
      until: at,
    })
  })
})

describe('the delay after a failure', () => {
  it('doubles from a minute to an hour, with a jitter of a fifth', () => {
    expect([1, 2, 3, 4, 7, 50].map((tries) => getRetryDelay(tries, null, () => 0.5) / 60_000)).toEqual([
      1, 2, 4, 8, 60, 60,
    ])
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 500 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (tries, chance) => {
          const wait = getRetryDelay(tries, null, () => chance)
          expect(wait >= 60_000 && wait <= hourMs).toBe(true)
        },
      ),
    )
    expect(getRetryDelay(3, null, () => 0)).toBeLessThan(getRetryDelay(3, null, () => 1))
  })
  it('the delay after a failure is never less than the server requests', () =>
    expect(getRetryDelay(1, 3 * hourMs)).toBe(3 * hourMs))
})
