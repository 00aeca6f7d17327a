import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { FeedStatus, HealthDay } from '#contract/health.ts'
import { healthFigureNames, personalFigures, plainFigures } from '#contract/health-figures.ts'
import { isLegalSequence } from '../check-transitions.ts'
import { computeFigures } from './compute-figures.ts'
import type { OperatorFacts } from './operator-facts.ts'
import { computeQuantile } from './quantile.ts'

const nothing: OperatorFacts = {
  statuses: [],
  days: [],
  volume: null,
  checks: [],
  trips: null,
  tripChecks: [],
  received: [],
  vehicles: null,
}
const checks = {
  operator: 'swift',
  feed: 'f',
  judged: 0,
  illegal: 0,
  ways: [],
  late: [],
  ahead: 0,
  moves: 0,
  jumps: 0,
}
const trips = {
  count: 0,
  reportedWithEvents: 0,
  reported: 0,
  withoutEvents: 0,
  withoutReport: 0,
  withoutEnd: 0,
  withoutReportOrEnd: 0,
  impossible: 0,
}
const tripChecks = {
  operator: 'swift',
  endsWithoutStart: 0,
  compared: 0,
  timeDiffers: 0,
  placeDiffers: 0,
  differs: 0,
}
const figure = (name: string, overrides: Partial<OperatorFacts>) =>
  computeFigures({ ...nothing, ...overrides }).find((figure) => figure.figure === name)
const feed = (state: FeedStatus['state'], minutes: number | null, promised: number) =>
  ({ state, freshness_minutes: minutes, promised_minutes: promised }) as FeedStatus
const day = (states: HealthDay['states'], count = 0): HealthDay => ({
  day: '2026-03-18',
  hours: [],
  states,
  count,
  usual: null,
})

test('Every figure is either personal or plain', () => {
  expect([...personalFigures, ...plainFigures].toSorted()).toEqual([...healthFigureNames].toSorted())
})

describe('figures', () => {
  it('are null, not zero, without data', () => {
    expect(computeFigures(nothing).filter(({ value }) => value !== null)).toEqual([])
    expect(computeFigures(nothing).map((figure) => figure.figure)).toEqual(healthFigureNames)
  })
  it('show the freshness of the feed that is latest in relation to its limit', () => {
    expect(
      figure('freshness', {
        statuses: [
          feed('ok', 100, 200),
          feed('late', 20, 5),
          feed('paused', 5000, 5),
          feed('never', null, 5),
        ],
      }),
    ).toMatchObject({ value: 20, parts: { promised: 5 } })
  })
  it('count judged hours only', () => {
    expect(
      figure('gaps', { days: [day(['data', 'gap', 'quiet', 'ahead', 'none']), day(['gap'])] }),
    ).toMatchObject({ value: 2, count: 2, of: 4, parts: { quiet: 1 } })
    expect(figure('gaps', { days: [day(['data'])] })).toMatchObject({ value: 0 })
    expect(figure('gaps', { days: [day(['ahead'])] })).toMatchObject({ value: null })
  })
  it('show volume in percent of the usual number', () =>
    expect(figure('volume', { days: [day([], 30)], volume: { count: 30, usual: 40 } })).toMatchObject({
      value: 75,
      parts: { records: 30 },
    }))
  it('show shares over all feeds', () => {
    const two = [
      { ...checks, judged: 30, illegal: 1, moves: 10, jumps: 1, ahead: 2 },
      { ...checks, judged: 10, illegal: 1 },
    ]
    expect(figure('illegal_transitions', { checks: two })).toMatchObject({ value: 5, count: 2, of: 40 })
    expect(figure('impossible_speeds', { checks: two, trips: { ...trips, impossible: 3 } })).toMatchObject({
      value: 10,
      parts: { trips: 3 },
    })
    const received = [{ accepted: 95, setAside: 5, repeated: 19, skewed: 2 }]
    expect(figure('schema_violations', { received })).toMatchObject({ value: 5, count: 5, of: 100 })
    expect(figure('duplicates', { received })).toMatchObject({ value: 20, of: 95 })
    expect(figure('clock_skew', { received, checks: two })).toMatchObject({
      value: 2,
      parts: { events_ahead: 2 },
    })
  })
  it('report missing events and trip reports only for operators that send some', () => {
    const given = {
      ...trips,
      count: 100,
      reported: 50,
      withoutEvents: 4,
      withoutReport: 6,
      withoutEnd: 3,
      withoutReportOrEnd: 8,
    }
    const lonely = [{ ...tripChecks, endsWithoutStart: 2 }]
    expect(
      figure('orphan_trips', { trips: given, tripChecks: lonely, checks: [{ ...checks, late: [[0, 1]] }] }),
    ).toMatchObject({
      count: 14,
      of: 102,
      parts: { without_events: 4, without_report: 6, without_end: 3, ends_without_start: 2 },
    })
    expect(
      figure('orphan_trips', {
        trips: { ...given, reported: 0 },
        tripChecks: lonely,
        checks: [{ ...checks, late: [[0, 1]] }],
      }),
    ).toMatchObject({ count: 9, parts: { without_report: null } })
    expect(figure('orphan_trips', { trips: given, tripChecks: lonely })).toMatchObject({
      count: 10,
      parts: { without_events: null },
    })
  })
  it('show silent vehicles, lateness and agreement', () => {
    expect(
      figure('silent_vehicles', { vehicles: { operator: 'swift', deployed: 9, silent: 2, lost: 1 } }),
    ).toMatchObject({ value: 2, of: 9, parts: { lost: 1 } })
    expect(
      figure('late_arrival', {
        checks: [
          {
            ...checks,
            late: [
              [10, 60],
              [900, 36],
            ],
          },
          { ...checks, late: [[3600, 4]] },
        ],
      }),
    ).toMatchObject({ value: 10, of: 100, parts: { p95: 900 } })
    expect(
      figure('agreement', {
        trips: { ...trips, count: 8, reportedWithEvents: 6 },
        tripChecks: [{ ...tripChecks, compared: 6, timeDiffers: 2, placeDiffers: 1, differs: 2 }],
      }),
    ).toMatchObject({ value: 75, parts: { differs: 2, time_differs: 2, place_differs: 1, compared: 6 } })
  })
})

test('computeQuantile returns the nearest-rank quantile', () => {
  expect([computeQuantile([], 0.5), computeQuantile([[7, 0]], 0.5), computeQuantile([[7, 1]], 0.95)]).toEqual(
    [null, null, 7],
  )
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 4 })), { maxLength: 20 }),
      fc.constantFrom(0.01, 0.5, 0.95, 1),
      (counted, share) => {
        const flat = counted
          .flatMap(([value, count]) => Array.from({ length: count }, () => value))
          .toSorted((a, b) => a - b)
        expect(computeQuantile(counted, share)).toBe(
          flat[Math.max(1, Math.ceil(share * flat.length)) - 1] ?? null,
        )
      },
    ),
  )
})

describe('sequences of events', () => {
  it.each([
    ['micromobility', 'available', ['trip_start'], 'on_trip', true],
    ['micromobility', 'removed', ['trip_start'], 'on_trip', false],
    ['micromobility', 'on_trip', ['trip_end', 'battery_low'], 'non_operational', true],
    ['micromobility', 'on_trip', ['battery_low', 'trip_end'], 'non_operational', false],
    ['car-share', 'reserved', ['reservation_stop'], 'stopped', true],
    ['micromobility', 'reserved', ['reservation_stop'], 'stopped', false],
    ['1.2', 'on_trip', ['not_located'], 'missing', true],
    ['micromobility', 'on_trip', ['not_located'], 'missing', false],
    ['', 'available', ['trip_start'], 'on_trip', true],
    ['micromobility', 'available', [], 'available', true],
    ['micromobility', 'available', [], 'on_trip', false],
  ] as const)('of %s from %s by %j to %s: %s', (machine, from, types, to, legal) =>
    expect(isLegalSequence(machine, from, types, to)).toBe(legal),
  )
})
