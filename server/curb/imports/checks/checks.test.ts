import { describe, expect, it, test } from 'vitest'
import type { Position } from '#contract/place.ts'
import { center } from '../../../../test/curb/staging.ts'
import { Findings } from '../curb-format.ts'
import { canHaveSide, crossesItself } from '#contract/curb-line.ts'
import { checkGeometry } from './check-geometry.ts'
import { readStreetSide } from './check-place.ts'
import { checkPolicy } from './check-policy.ts'
import { OppositeSides } from './opposite-sides.ts'

const region = { center, reachKm: 60 }
const makeLine = (...offsets: [number, number][]): Position[] =>
  offsets.map(([x, y]) => [center.lon + x / 1000, center.lat + y / 1000])

function runCheck<Result>(check: (findings: Findings) => Result) {
  const findings = new Findings()
  const result = check(findings)
  return { result, outcome: findings.outcome, codes: findings.list.map(({ code }) => code) }
}
const readGeometry = (raw: unknown) => runCheck((findings) => checkGeometry(raw, region, findings))
const readPolicy = (overrides: object) =>
  runCheck((findings) =>
    checkPolicy({ priority: 1, rules: [{ activity: 'parking' }], ...overrides }, findings),
  )

test('A check treats values without a usable toString like other unknown values', () => {
  const hostileValue = JSON.parse('{"toString": {}}') as object
  expect([readStreetSide(hostileValue), readStreetSide([hostileValue, 'N']), readStreetSide(['N'])]).toEqual([
    null,
    null,
    'N',
  ])
  const { outcome } = readPolicy({ rules: [{ activity: hostileValue }, { activity: 'parking' }] })
  expect(outcome).toBe('repaired')
})

describe('checks of geometries', () => {
  it.each([
    ['no geometry', undefined, 'missing_geometry'],
    ['a line of one place', { type: 'LineString', coordinates: makeLine([0, 0], [0, 0]) }, 'zero_length'],
    [
      'a line that crosses itself',
      { type: 'LineString', coordinates: makeLine([0, 0], [2, 0], [1, 1], [1, -1]) },
      'self_crossing',
    ],
    [
      'a line far away',
      {
        type: 'LineString',
        coordinates: [
          [10, 50],
          [10.001, 50],
        ],
      },
      'outside_region',
    ],
    [
      'a polygon without area',
      { type: 'Polygon', coordinates: [makeLine([0, 0], [1, 0], [0, 0])] },
      'zero_length',
    ],
    ['words', { type: 'LineString', coordinates: ['a', 'b'] }, 'bad_geometry'],
  ])('%s is refused', (_, raw, code) => {
    expect(readGeometry(raw)).toMatchObject({ result: null, outcome: 'refused', codes: [code] })
  })

  it('swaps coordinates with latitude first, and closes open rings', () => {
    const coordinates = makeLine([0, 0], [1, 0])
    const swapped = readGeometry({ type: 'LineString', coordinates: coordinates.map(([x, y]) => [y, x]) })
    expect(swapped).toEqual({
      result: { type: 'LineString', coordinates },
      outcome: 'repaired',
      codes: ['coordinates_swapped'],
    })
    const ring = makeLine([0, 0], [1, 0], [1, 1])
    const closed = readGeometry({ type: 'Polygon', coordinates: [ring] })
    expect(closed).toMatchObject({ result: { coordinates: [[...ring, ring[0]]] }, codes: ['bad_geometry'] })
  })

  it('refuses a line as self-crossing exactly if two of its edges cross, also if it is long', () => {
    const zigzag = makeLine(
      ...Array.from({ length: 200 }, (_, index): [number, number] => [index / 10, index % 2]),
    )
    expect(crossesItself(zigzag)).toBe(false)
    expect(crossesItself([...zigzag, ...makeLine([19.9, -1], [5.05, -1], [5.05, 3])])).toBe(true)
  })

  it('accepts only a side that is across the direction of the line', () => {
    expect(['N', 'S', 'NE'].map((side) => canHaveSide(makeLine([0, 0], [5, 0]), side))).toEqual([
      true,
      true,
      true,
    ])
    expect(['E', 'W'].map((side) => canHaveSide(makeLine([0, 0], [5, 0]), side))).toEqual([false, false])
  })

  it('reports a line on the wrong side of its block', () => {
    const sides = new OppositeSides()
    const zone = (street_side: 'N' | 'S', y: number) => ({
      geometry: { type: 'LineString' as const, coordinates: makeLine([0, y], [1, y]) },
      street_side,
      street_name: 'Main',
      cross_street_start_name: '1st',
      cross_street_end_name: '2nd',
    })
    expect(runCheck((findings) => sides.check(zone('N', 1), findings)).codes).toEqual([])
    expect(runCheck((findings) => sides.check(zone('S', 0), findings)).codes).toEqual([])
    expect(runCheck((findings) => sides.check(zone('S', 2), findings)).codes).toEqual(['wrong_side'])
  })
})

describe('checks of policies', () => {
  it('converts times past 24:00 to times of the next day', () => {
    const { result, outcome } = readPolicy({
      time_spans: [{ time_of_day_start: '22:00', time_of_day_end: '26:00' }],
    })
    expect(result?.time_spans).toEqual([{ time_of_day_start: '22:00', time_of_day_end: '02:00' }])
    expect(outcome).toBe('repaired')
    expect(
      readPolicy({ time_spans: [{ time_of_day_start: '08:00', time_of_day_end: '34:00' }] }).outcome,
    ).toBe('refused')
  })

  it('refuses a policy if it is unclear when it applies, rather than apply it at other times', () => {
    for (const span of [
      { days_of_week: ['noday'] },
      { time_of_day_start: 'dawn' },
      { months: [13] },
      { start_date: 'soon' },
      'x',
    ])
      expect(readPolicy({ time_spans: [span, { days_of_week: ['mon'] }] })).toMatchObject({
        result: null,
        outcome: 'refused',
      })
  })

  it('retains rules beside one without an activity, but removes rules with an unreadable limit', () => {
    const rules = [
      { activity: 'Loading' },
      { user_classes: ['bus'] },
      { activity: 'parking', max_stay: 'long' },
    ]
    const { result, codes } = readPolicy({ rules })
    expect(result?.rules).toEqual([{ activity: 'loading' }])
    expect(codes).toEqual(['spelling', 'no_activity', 'rule_set_aside'])
  })

  it('reports overlapping rates and unknown classes, and does not change them', () => {
    const rate = [
      { rate: 100, rate_unit: 'hour', end_duration: 2 },
      { rate: 200, rate_unit: 'hour', start_duration: 1 },
    ]
    const { outcome, codes } = readPolicy({
      rules: [{ activity: 'parking', user_classes: ['our_permit'], rate }],
    })
    expect(outcome).toBe('accepted')
    expect(codes).toEqual(['unknown_user_class', 'overlapping_rates'])
  })

  it('repairs empty lists, wrong capitals and several spellings of a field', () => {
    const { result } = readPolicy({
      Priority: 3,
      rules: [{ Activity: 'No Parking', userClasses: ['Bus'], purposes: [] }],
      time_spans: [],
    })
    expect(result).toEqual({
      priority: 1,
      Priority: 3,
      rules: [{ activity: 'no parking', user_classes: ['bus'] }],
    })
  })
})
