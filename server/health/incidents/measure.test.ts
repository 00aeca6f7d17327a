import { describe, expect, it } from 'vitest'
import type { FeedStatus, HealthDay } from '#contract/health.ts'
import type { IncidentRule } from '#contract/incident-rules.ts'
import { type MeasureInput, measureOperator } from './measure.ts'

const at = Date.parse('2026-03-18T12:00:00Z')
const feed = (overrides: Partial<FeedStatus> = {}): FeedStatus => ({
  operator: 'swift',
  feed_id: 'f1',
  name: 'Feed',
  kind: 'mds_provider',
  version: '2.0',
  state: 'ok',
  reason: '',
  last_success: null,
  newest_record: null,
  freshness_minutes: 10,
  promised_minutes: 60,
  problem: null,
  problem_since: null,
  open_incidents: 0,
  ...overrides,
})
const day = (name: string, states: HealthDay['states']): HealthDay => ({
  day: name,
  hours: [],
  states: Array.from({ length: 24 }, (_, hour) => states[hour] ?? 'ahead'),
  count: 0,
  usual: null,
})
const full = (count: number): number[] => Array.from({ length: 24 }, () => count)
const input = (overrides: Partial<MeasureInput> = {}): MeasureInput => ({
  operator: 'swift',
  at,
  statuses: [feed()],
  table: new Map(),
  days: [],
  transitions: [],
  received: new Map(),
  trips: null,
  ...overrides,
})
const measureRule = (rule: IncidentRule, overrides: Partial<MeasureInput>): number | null | undefined =>
  measureOperator(input(overrides)).find((measure) => measure.rule === rule)?.value

describe('the figures of rules', () => {
  it('are missing for feeds that are switched off', () => {
    expect(measureOperator(input({ statuses: [feed({ state: 'paused' })] }))).toEqual([])
    expect(
      measureOperator(input({ statuses: [feed({ state: 'paused' }), feed({ feed_id: 'f2' })] })).filter(
        ({ feedId }) => feedId === 'f1',
      ),
    ).toEqual([])
  })
  it('include the minutes since a feed began to fail', () => {
    expect(measureRule('feed_failing', { statuses: [feed({ problem_since: '2026-03-18T11:15:00Z' })] })).toBe(
      45,
    )
    expect(measureRule('feed_failing', {})).toBe(0)
  })
  it('include the lateness of a feed, if records are usual at this hour', () => {
    const late = [feed({ freshness_minutes: 150 })]
    expect(measureRule('feed_late', { statuses: late })).toBe(2.5)
    const night = new Map([
      ['2026-03-04', full(0)],
      ['2026-03-11', [5, ...full(0).slice(1)]],
      ['2026-02-25', [5, ...full(0).slice(1)]],
    ])
    const today = [day('2026-03-18', ['data', 'quiet'])]
    expect(measureRule('feed_late', { statuses: late, table: night, days: today })).toBeNull()
    expect(
      measureRule('feed_late', { statuses: [feed({ freshness_minutes: 30 })], table: night, days: today }),
    ).toBe(0.5)
    expect(measureRule('feed_late', { statuses: [feed({ freshness_minutes: null })] })).toBeNull()
  })
  it('include the number of gap hours up to now', () => {
    expect(
      measureRule('gap', {
        days: [day('2026-03-17', ['data', 'gap']), day('2026-03-18', ['data', 'gap', 'quiet', 'gap'])],
      }),
    ).toBe(2)
    expect(measureRule('gap', { days: [day('2026-03-18', ['gap', 'data', 'ahead'])] })).toBe(0)
    expect(measureRule('gap', { days: [] })).toBeNull()
  })
  it('include the volume of the last 24 hours', () => {
    const days = [
      day(
        '2026-03-17',
        Array.from({ length: 24 }, () => 'data' as const),
      ),
      day(
        '2026-03-18',
        Array.from({ length: 12 }, () => 'data' as const),
      ),
    ]
    const weeks = [7, 14, 21].flatMap(
      (back) =>
        [
          [new Date(Date.parse('2026-03-17') - back * 86_400_000).toISOString().slice(0, 10), full(10)],
          [new Date(Date.parse('2026-03-18') - back * 86_400_000).toISOString().slice(0, 10), full(10)],
        ] as const,
    )
    const table = new Map([...weeks, ['2026-03-17', full(4)], ['2026-03-18', full(4)]] as const)
    expect([measureRule('volume_low', { table, days }), measureRule('volume_high', { table, days })]).toEqual(
      [40, 40],
    )
    expect(measureRule('volume_low', { table, days: days.slice(1) })).toBeNull()
    expect(measureRule('volume_low', { table: new Map([['2026-03-17', full(4)]]), days })).toBeNull()
  })
  it('include shares if there is enough data', () => {
    const transitions = [{ operator: 'swift', feed: 'f1', judged: 60, illegal: 6, ways: [] }]
    expect([
      measureRule('illegal_transitions', { transitions }),
      measureRule('illegal_transitions', { transitions: [{ ...transitions[0]!, judged: 49 }] }),
    ]).toEqual([10, null])
    const received = new Map([['f1', { accepted: 90, setAside: 10, repeated: 0, skewed: 5 }]])
    expect([
      measureRule('schema_violations', { received }),
      measureRule('clock_skew', { received }),
      measureRule('schema_violations', {}),
    ]).toEqual([10, 5, null])
    const trips = {
      count: 20,
      reportedWithEvents: 0,
      reported: 0,
      withoutEvents: 0,
      withoutReport: 0,
      withoutEnd: 1,
      withoutReportOrEnd: 1,
      impossible: 0,
    }
    expect([
      measureRule('trips_without_end', { trips }),
      measureRule('trips_without_end', { trips: { ...trips, count: 19 } }),
    ]).toEqual([5, null])
  })
})
