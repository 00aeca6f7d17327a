import { describe, expect, it } from 'vitest'
import { emptyPolicy, type PolicyFields } from '#contract/policy.ts'
import { makeDayRule } from './make-day-rule.ts'
import { makeDayWindows } from './day-windows.ts'
import type { FeedCoverage } from './feed-coverage.ts'
import { assignComplianceStatus } from './assign-compliance-status.ts'
import type { MeasuredDay } from './measure-days.ts'
import { summarizeRecords } from './read-compliance.ts'

const day = '2026-06-01'
const square = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ] as [number, number][][],
}
const after = Date.parse('2026-06-03T00:00Z')
const makeCoverage = (overrides: Partial<FeedCoverage> = {}): FeedCoverage => ({
  operators: ['a'],
  operatorsWithTrips: ['a'],
  hasAny: () => true,
  countGapHours: () => 0,
  ...overrides,
})

interface DayInput {
  policy: Partial<PolicyFields>
  figures?: MeasuredDay['figures']
  present?: string[] | null
  coverage?: FeedCoverage
  now?: number
  countsUncertain?: boolean
  held?: { from: number; until: number | null }
}

function evaluateDay({
  policy,
  figures = [],
  present = null,
  coverage: feeds = makeCoverage(),
  now = after,
  countsUncertain = false,
  held = { from: -Infinity, until: null },
}: DayInput) {
  const fields = { ...emptyPolicy(), shape_layer_uuid: '00000000-0000-4000-8000-000000000001', ...policy }
  const rule = makeDayRule(
    fields,
    [{ shapeId: '00000000-0000-4000-8000-000000000002', name: 'Square', geometries: [square] }],
    { policyId: null, ...held },
  )
  if (!rule) throw new Error('No rule')
  const [record] = assignComplianceStatus(
    { rule, regionName: 'Alder', coverage: feeds, operators: ['a'], countsUncertain, now },
    makeDayWindows(rule, day, day, 'UTC'),
    [{ day, figures, present }],
  )
  return record
}

const makeFigure = (overrides: Partial<MeasuredDay['figures'][number]>) => ({
  operator: 'a',
  shape: 0,
  measured: 0,
  vehicles: 0,
  uncertain: 0,
  open: false,
  ...overrides,
})
const cap = { policy_type: 'vehicle_cap', minimum: 10, maximum: 20 }
const noParking = { policy_type: 'no_parking' }

describe('a day with bounds', () => {
  it.each([
    [9.5, 'non_compliant', 'under_minimum', 1],
    [10, 'compliant', 'within', 0],
    [20, 'compliant', 'within', 0],
    [20.000000000001, 'compliant', 'within', 0],
    [20.1, 'non_compliant', 'over_maximum', 1],
  ])('a day of %d vehicles is %s', (measured, status, code, violations) => {
    expect(
      evaluateDay({ policy: cap, figures: [makeFigure({ measured, vehicles: measured })], present: ['a'] }),
    ).toMatchObject({
      status,
      reason_code: code,
      violations,
      measure: 'vehicles',
      shape_uuid: null,
      shape_name: 'Alder',
      policy_uuid: null,
    })
  })

  it('an operator without a vehicle on the street has no shortfall', () => {
    expect(evaluateDay({ policy: cap, present: [] })).toMatchObject({
      status: 'not_applicable',
      reason_code: 'no_fleet',
      measured: 0,
    })
    expect(evaluateDay({ policy: cap, present: ['a'] })).toMatchObject({
      status: 'non_compliant',
      reason_code: 'under_minimum',
    })
  })

  it('a day is not applicable without bounds, or with nothing to average', () => {
    expect(
      evaluateDay({ policy: { policy_type: 'vehicle_cap' }, figures: [makeFigure({ measured: 3 })] })
        ?.reason_code,
    ).toBe('no_limit')
    expect(
      evaluateDay({ policy: { policy_type: 'utilization', minimum: 1 }, present: ['a'] })?.reason_code,
    ).toBe('nothing_to_measure')
  })

  it('counts, while unfinished, only violations that later facts cannot undo', () => {
    const now = Date.parse('2026-06-01T12:00Z')
    const capPolicy = {
      ...cap,
      fee_properties: { ...emptyPolicy().fee_properties, vehicle_count_method: 'max' as const },
    }
    const mean = {
      ...cap,
      fee_properties: { ...emptyPolicy().fee_properties, vehicle_count_method: 'avg' as const },
    }
    expect(evaluateDay({ policy: capPolicy, figures: [makeFigure({ measured: 30 })], now })).toMatchObject({
      reason_code: 'over_maximum',
      provisional: true,
    })
    expect(evaluateDay({ policy: mean, figures: [makeFigure({ measured: 30 })], now })).toMatchObject({
      status: 'not_applicable',
      reason_code: 'day_goes_on',
      violations: 0,
    })
    expect(
      evaluateDay({ policy: capPolicy, figures: [makeFigure({ measured: 1 })], present: ['a'], now })
        ?.reason_code,
    ).toBe('day_goes_on')
  })
})

describe('a day with counted facts', () => {
  const two = [makeFigure({ shape: 1, measured: 2, vehicles: 2, uncertain: 1 })]
  it('a day is violated by each certain fact, or by all if the city counts uncertain ones', () => {
    expect(evaluateDay({ policy: noParking, figures: two })).toMatchObject({
      status: 'non_compliant',
      reason_code: 'found',
      violations: 1,
      uncertain: 1,
      measured: 2,
      vehicle_count: 2,
      shape_name: 'Square',
    })
    expect(evaluateDay({ policy: noParking, figures: two, countsUncertain: true })).toMatchObject({
      violations: 2,
      uncertain: 1,
    })
  })

  it('a day is compliant, with a note, if its only fact is uncertain', () => {
    const record = evaluateDay({
      policy: noParking,
      figures: [makeFigure({ shape: 1, measured: 1, vehicles: 1, uncertain: 1 })],
    })
    expect(record).toMatchObject({
      status: 'compliant',
      reason_code: 'none_found',
      violations: 0,
      uncertain: 1,
    })
    expect(record?.reason).toContain('1 of them uncertain')
  })

  it('a day is provisionally compliant while a parking event is open', () => {
    expect(
      evaluateDay({
        policy: { policy_type: 'parking_time_limit', maximum: 3, unit: 'days' },
        figures: [makeFigure({ shape: 1, open: true })],
      }),
    ).toMatchObject({ status: 'compliant', provisional: true, measure: 'long_parking_events' })
  })
})

describe('a day that cannot be evaluated', () => {
  it.each([
    ['the feed sent nothing', { coverage: makeCoverage({ hasAny: () => false }) }, 'no_feed', 0],
    ['the feed missed hours', { coverage: makeCoverage({ countGapHours: () => 3 }) }, 'data_gap', 3],
    ['the policy was not in force', { held: { from: after, until: null } }, 'not_in_force', 0],
    ['it is not one of its days', { policy: { ...noParking, days: [7] } }, 'not_on_this_day', 0],
    ['it has not begun', { now: Date.parse('2026-05-31T00:00Z') }, 'day_goes_on', 0],
  ])('a day is never compliant if %s', (_, overrides, code, gaps) => {
    expect(evaluateDay({ policy: noParking, ...overrides })).toMatchObject({
      status: 'not_applicable',
      reason_code: code,
      gap_hours: gaps,
    })
  })

  it('a day that cannot be evaluated still reports violations found in the hours with data', () => {
    expect(
      evaluateDay({
        policy: noParking,
        figures: [makeFigure({ shape: 1, measured: 2, vehicles: 1 })],
        coverage: makeCoverage({ countGapHours: () => 1 }),
      }),
    ).toMatchObject({ status: 'not_applicable', measured: 2, violations: 2, vehicle_count: 1 })
  })
})

it('a summary counts days, violations and days that cannot be evaluated, by operator', () => {
  const violation = evaluateDay({
    policy: noParking,
    figures: [makeFigure({ shape: 1, measured: 2, vehicles: 2 })],
  })
  const noFeed = evaluateDay({ policy: noParking, coverage: makeCoverage({ hasAny: () => false }) })
  if (!violation || !noFeed) throw new Error('No record')
  expect(
    summarizeRecords([
      violation,
      { ...noFeed, date: '2026-06-02' },
      { ...violation, date: '2026-06-03', shape_uuid: null },
      { ...noFeed, operator: 'b' },
    ]),
  ).toEqual({
    a: {
      status: 'non_compliant',
      daysCount: 2,
      violationCount: 4,
      violationType: 'parking_events',
      countType: 'events',
      uncertainCount: 0,
      compliantDays: 0,
      notApplicableDays: 1,
      days: [
        { date: day, status: 'non_compliant', violations: 2 },
        { date: '2026-06-02', status: 'not_applicable', violations: 0 },
        { date: '2026-06-03', status: 'non_compliant', violations: 2 },
      ],
    },
    b: {
      status: 'not_applicable',
      daysCount: 0,
      violationCount: 0,
      violationType: 'parking_events',
      countType: 'events',
      uncertainCount: 0,
      compliantDays: 0,
      notApplicableDays: 1,
      days: [{ date: day, status: 'not_applicable', violations: 0 }],
    },
  })
})
