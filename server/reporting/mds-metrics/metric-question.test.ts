import { describe, expect, it } from 'vitest'
import { listIntervalEdges, parseMoment, formatMetricTime, parseDuration } from './metric-question.ts'

const newYork = 'America/New_York'
const edges = (start: string, end: string, interval: string, timezone = newYork): string[] =>
  (
    listIntervalEdges(
      {
        start: parseMoment(start, 'start_date', timezone).ms,
        end: parseMoment(end, 'end_date', timezone).ms,
        duration: parseDuration(interval)!,
        timezone,
      },
      100,
    ) ?? []
  ).map((ms) => formatMetricTime(ms, timezone))

describe('intervals', () => {
  it('of days follow the calendar and those of hours elapsed time across a clock change', () => {
    expect(edges('2026-03-07T00:00', '2026-03-09T00:00', 'P1D')).toEqual([
      '2026-03-07T00:00-05',
      '2026-03-08T00:00-05',
      '2026-03-09T00:00-04',
      '2026-03-10T00:00-04',
    ])
    expect(edges('2026-03-08T00:00', '2026-03-09T00:00', 'PT12H')).toEqual([
      '2026-03-08T00:00-05',
      '2026-03-08T13:00-04',
      '2026-03-09T01:00-04',
    ])
    expect(edges('2026-11-01T01:30', '2026-11-01T01:30', 'PT1H')).toEqual([
      '2026-11-01T01:30-04',
      '2026-11-01T01:30-05',
    ])
  })
  it('of months end on the last day if a month lacks the day, and do not drift', () =>
    expect(edges('2026-01-31T00:00', '2026-04-30T00:00', 'P1M')).toEqual([
      '2026-01-31T00:00-05',
      '2026-02-28T00:00-05',
      '2026-03-31T00:00-04',
      '2026-04-30T00:00-04',
      '2026-05-31T00:00-04',
    ]))
  it('are refused if there are too many', () =>
    expect(edges('2026-01-01T00:00', '2026-12-31T00:00', 'P1D')).toEqual([]))
  it.each(['P', 'PT', 'P1', '1D', 'P1.5D', 'PT30S', 'P1Y2', '-P1D', 'P1H'])('%s is none', (text) =>
    expect(parseDuration(text)).toBeNull(),
  )
  it('reads all parts of a duration', () =>
    expect(parseDuration('P1Y2M3W4DT5H6M60S')).toEqual({ months: 14, days: 25, minutes: 307 }))
})
