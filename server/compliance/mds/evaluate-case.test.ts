import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { minuteMs } from '#contract/period.ts'
import { evaluatePlainly } from '../../../test/compliance/plain-evaluator.ts'
import { randomCase } from '../../../test/compliance/random-case.ts'
import { evaluateCase } from './evaluate-case.ts'

/** Set POLICY_RUNS=20000 for a longer run. */
const runs = Number(process.env['POLICY_RUNS'] ?? 150)
/** Sorts the vehicles of findings, whose order does not matter. */
const sortResult = <Found extends object>(result: Found) =>
  'rules' in result
    ? {
        ...result,
        rules: (result.rules as { vehicles: string[] }[]).map((rule) => ({
          ...rule,
          vehicles: [...rule.vehicles].sort(),
        })),
      }
    : result

test('An evaluated case agrees with a plain reference implementation', () => {
  let [evaluated, violations] = [0, 0]
  expect(() =>
    fc.assert(
      fc.property(randomCase, (input) => {
        const expected = evaluatePlainly(input)
        if ('rules' in expected) evaluated += 1
        violations += expected.total_violations ?? 0
        // Events without a place are additionally reported as set aside.
        const { set_aside: _aside, ...result } = evaluateCase(input, 'x')
        expect(sortResult(result)).toEqual(sortResult({ id: 'random', ...expected }))
      }),
      { numRuns: runs },
    ),
  ).not.toThrow()
  // Enough cases must have violations, because others prove little.
  expect(evaluated).toBeGreaterThan(runs / 3)
  expect(violations).toBeGreaterThan(runs / 3)
}, 900_000)

// Saturday, 7 November 2026, 15:00 in New York.
const now = Date.UTC(2026, 10, 7, 20)
const makeSquare = (west: number, south: number, size: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ],
  ],
})
const makeFeature = (geometry: object) => ({ type: 'Feature', properties: {}, geometry })
const zone = {
  geography_id: 'zone',
  geography_json: { type: 'FeatureCollection', features: [makeFeature(makeSquare(0, 0, 1))] },
}
const rule = (overrides: object) => ({
  rule_id: 'r',
  rule_type: 'count',
  geographies: ['zone'],
  states: { available: [] },
  ...overrides,
})
const policy = (rules: object[], overrides: object = {}) => ({
  policy_id: 'p',
  start_date: now - 1000 * minuteMs,
  rules,
  ...overrides,
})
const vehicle = (device_id: string, overrides: object = {}) => ({
  device_id,
  provider_id: 'o',
  vehicle_type: 'bicycle',
  propulsion_types: ['electric'],
  ...overrides,
})
/** Returns an event of a vehicle that arrived the given number of minutes ago. */
const park = (device_id: string, minutes: number, overrides: object = {}) => ({
  device_id,
  vehicle_state: 'available',
  event_types: ['trip_end'],
  timestamp: now - minutes * minuteMs,
  location: { lat: 0.5, lng: 0.5 },
  ...overrides,
})

interface Parts {
  policies?: object[]
  geographies?: object[]
  vehicles?: object[]
  events?: object[]
  clock?: object
}
const three = ['a', 'b', 'c']
const evaluate = (parts: Parts) =>
  evaluateCase(
    {
      id: 'case',
      clock: { now, timezone: 'America/New_York' },
      policies: [],
      geographies: [zone],
      vehicles: three.map((id) => vehicle(id)),
      events: three.map((id, index) => park(id, 30 - index)),
      ...parts,
    },
    'file',
  )
const evaluateRules = (parts: Parts) => {
  const result = evaluate(parts)
  return 'rules' in result ? result.rules : result
}
const evaluateFirstRule = (parts: Parts) =>
  (evaluateRules(parts) as { measured: number; excess: number }[])[0]

describe('counts', () => {
  it('counts the newest arrivals over a cap, and a shortfall of providers with a fleet', () => {
    expect(evaluateRules({ policies: [policy([rule({ maximum: 1 })])] })).toEqual([
      { rule_id: 'r', measured: 3, excess: 2, shortfall: 0, vehicles: ['b', 'c'] },
    ])
    expect(evaluateRules({ policies: [policy([rule({ minimum: 5 })])] })).toEqual([
      { rule_id: 'r', measured: 3, excess: 0, shortfall: 2, vehicles: [] },
    ])
    expect(evaluateRules({ policies: [policy([rule({ minimum: 5 })])], events: [] })).toMatchObject([
      { shortfall: 0 },
    ])
  })
  it('includes the bound itself by default', () => {
    expect(evaluateRules({ policies: [policy([rule({ minimum: 3, maximum: 3 })])] })).toMatchObject([
      { excess: 0, shortfall: 0 },
    ])
    expect(
      evaluateRules({ policies: [policy([rule({ minimum: 3, inclusive_minimum: false })])] }),
    ).toMatchObject([{ shortfall: 1 }])
    expect(
      evaluateRules({ policies: [policy([rule({ maximum: 3, inclusive_maximum: false })])] }),
    ).toMatchObject([{ excess: 1, vehicles: ['c'] }])
  })
  it('treats the last reported of simultaneous arrivals as the newest', () => {
    const events = ['c', 'a', 'b'].map((id) => park(id, 5))
    expect(
      evaluateRules({
        events: [...events, park('c', 1, { event_types: ['battery_charged'] })],
        policies: [policy([rule({ maximum: 1 })])],
      }),
    ).toMatchObject([{ vehicles: ['a', 'b'] }])
  })
  it('a count is not violated by a fee on a count within bounds, which matches nothing below them', () => {
    const fee = (overrides: object) =>
      rule({ rate_amount: 100, rate_applies_when: 'in_bounds', ...overrides })
    expect(
      evaluateRules({ policies: [policy([fee({ maximum: 1 }), rule({ rule_id: 's', maximum: 1 })])] }),
    ).toMatchObject([
      {
        measured: 3,
        excess: 0,
        rate: { amount: 100, currency: null, recurrence: null, applies_when: 'in_bounds' },
      },
      { measured: 2, excess: 1, vehicles: ['c'] },
    ])
    expect(
      evaluateRules({ policies: [policy([fee({ minimum: 4 }), rule({ rule_id: 's' })])] }),
    ).toMatchObject([{ measured: 3, shortfall: 0 }, { measured: 3 }])
  })
  it('evaluates vehicles of the mode of the policy, and those without a mode', () => {
    const vehicles = [
      vehicle('a', { mode_id: 'car-share' }),
      vehicle('b', { mode_id: 'micromobility' }),
      vehicle('c'),
    ]
    const measured = (mode_id?: string) =>
      evaluateFirstRule({ vehicles, policies: [policy([rule({})], { mode_id })] })?.measured
    const modes = ['car-share', 'micromobility', undefined, 'passenger-services']
    expect(modes.map(measured)).toEqual([2, 2, 2, 1])
  })
  it('passes vehicles over a cap on to a later rule', () => {
    const result = evaluateRules({
      policies: [policy([rule({ maximum: 1 }), rule({ rule_id: 's', maximum: 1 })])],
    })
    expect(result).toMatchObject([
      { rule_id: 'r', measured: 3, excess: 0 },
      { rule_id: 's', measured: 2, excess: 1, vehicles: ['c'] },
    ])
  })
  it('evaluates each provider separately, and only the listed ones', () => {
    const vehicles = [
      vehicle('a'),
      vehicle('b', { provider_id: 'other' }),
      vehicle('c', { provider_id: 'other' }),
    ]
    expect(evaluateRules({ vehicles, policies: [policy([rule({ maximum: 1 })])] })).toMatchObject([
      { measured: 3, excess: 1, vehicles: ['c'] },
    ])
    expect(
      evaluateRules({ vehicles, policies: [policy([rule({ maximum: 1 })], { provider_ids: ['o'] })] }),
    ).toMatchObject([{ measured: 1, excess: 0 }])
  })
  it('includes the border, excludes holes, and counts 20 m around a point', () => {
    const count = (geometry: object, lng: number, lat: number) =>
      evaluateFirstRule({
        geographies: [{ geography_id: 'zone', geography_json: geometry }],
        policies: [policy([rule({})])],
        events: [park('a', 1, { location: { lng, lat } })],
      })?.measured
    const holed = {
      type: 'Polygon',
      coordinates: [...makeSquare(0, 0, 1).coordinates, ...makeSquare(0.25, 0.25, 0.5).coordinates],
    }
    expect([
      count(holed, 1, 0.3),
      count(holed, 0, 0),
      count(holed, 0.25, 0.5),
      count(holed, 0.5, 0.5),
      count(holed, 1.0001, 0.5),
    ]).toEqual([1, 1, 1, 0, 0])
    const point = makeFeature({ type: 'Point', coordinates: [0, 0] })
    expect([count(point, 19.9 / 111_319.5, 0), count(point, 20.1 / 111_319.5, 0)]).toEqual([1, 0])
    const beyond = makeSquare(-324, 0, 1)
    expect([
      count(beyond, -323.5, 0.5),
      count(beyond, 36.5, 0.5),
      count(makeSquare(36, 0, 1), -323.5, 0.5),
      count(beyond, 35.5, 0.5),
    ]).toEqual([1, 1, 1, 0])
  })
  it('counts the right of way if no states are listed, and event types if they are', () => {
    const events = [
      park('a', 3, { vehicle_state: 'removed', event_types: ['rebalance_pick_up'] }),
      park('b', 2, { vehicle_state: 'on_trip', event_types: ['trip_start'] }),
      park('c', 1, { event_types: ['trip_end', 'battery_charged'] }),
    ]
    const measured = (states: object | null) =>
      evaluateFirstRule({ events, policies: [policy([rule({ states })])] })?.measured
    const types = ['battery_charged', 'provider_drop_off']
    expect(
      [null, {}, ...types.map((type) => ({ available: [type] })), { removed: [] }].map(measured),
    ).toEqual([2, 2, 1, 0, 1])
  })
  it('ignores vehicles that were silent for 48 hours, and future events', () => {
    expect(
      evaluateRules({
        policies: [policy([rule({})])],
        events: [park('a', 48 * 60), park('b', 48 * 60 - 1), park('c', -1)],
      }),
    ).toMatchObject([{ measured: 1 }])
  })
})

describe('times and speeds', () => {
  const makeIdleRule = (overrides: object = {}) =>
    rule({
      rule_type: 'time',
      rule_units: 'minutes',
      maximum: 60,
      states: { available: [], non_operational: [] },
      ...overrides,
    })
  it('continues the dwell time through the states of the rule, and restarts it when the vehicle moves', () => {
    const events = [
      park('a', 90),
      park('a', 10, { vehicle_state: 'non_operational', event_types: ['battery_low'] }),
      park('b', 90),
      park('b', 10, { location: { lat: 0.5, lng: 0.502 } }),
      park('c', 60),
    ]
    expect(evaluateRules({ events, policies: [policy([makeIdleRule()])] })).toEqual([
      { rule_id: 'r', measured: 1, excess: 1, shortfall: 0, vehicles: ['a'] },
    ])
  })
  it('applies a limit longer than the loss of a vehicle to one that fell silent', () => {
    expect(
      evaluateRules({
        events: [park('a', 73 * 60)],
        policies: [policy([makeIdleRule({ rule_units: 'hours', maximum: 72 })])],
      }),
    ).toMatchObject([{ excess: 1 }])
    expect(
      evaluateRules({ events: [park('a', 73 * 60)], policies: [policy([makeIdleRule()])] }),
    ).toMatchObject([{ excess: 0 }])
  })
  it('matches a vehicle with one tier only, the first whose bounds it exceeds', () => {
    const events = [park('a', 150), park('b', 90), park('c', 30)]
    const makeTier = (rule_id: string, maximum: number) =>
      makeIdleRule({ rule_id, rule_units: 'hours', maximum })
    expect(
      evaluateRules({ events, policies: [policy([makeTier('2', 2), makeTier('1', 1), makeTier('0', 0)])] }),
    ).toMatchObject([{ vehicles: ['a'] }, { vehicles: ['b'] }, { vehicles: ['c'] }])
  })
  it('compares speeds in the unit of the rule', () => {
    const measureExcess = (rule_units: string, speed: number) =>
      evaluateFirstRule({
        events: [park('a', 1, { vehicle_state: 'on_trip', event_types: ['trip_start'], speed })],
        policies: [policy([rule({ rule_type: 'speed', rule_units, maximum: 15, states: { on_trip: [] } })])],
      })?.excess
    expect([
      measureExcess('mph', 6.7056),
      measureExcess('mph', 6.7057),
      measureExcess('kph', 15 / 3.6),
      measureExcess('kph', 4.17),
    ]).toEqual([0, 1, 0, 1])
  })
  it('a time or speed is not violated by a fee within bounds, which passes the vehicle to no later rule', () => {
    expect(
      evaluateRules({
        events: [park('a', 90)],
        policies: [
          policy([
            makeIdleRule({ maximum: 120, rate_amount: 25, rate_applies_when: 'in_bounds' }),
            makeIdleRule({ rule_id: 's' }),
          ]),
        ],
      }),
    ).toMatchObject([{ measured: 1, excess: 0, vehicles: [] }, { measured: 0 }])
  })
})

describe('when', () => {
  it.each([
    ['a day that is listed', { days: ['sat'] }, 3],
    ['another day', { days: ['fri'] }, 0],
    ['a window, its start', { start_time: '15:00:00', end_time: '16:00:00' }, 3],
    ['a window, its end', { start_time: '14:00:00', end_time: '15:00:00' }, 0],
    [
      'over midnight, from the day before',
      { days: ['fri'], start_time: '22:00:00', end_time: '16:00:00' },
      3,
    ],
    ['over midnight, not begun today', { days: ['sat'], start_time: '22:00:00', end_time: '16:00:00' }, 0],
    ['to the end of the day', { start_time: '10:00:00', end_time: '23:59:59' }, 3],
  ])('holds a rule to %s', (_what, more, measured) => {
    expect(evaluateRules({ policies: [policy([rule(more)])] })).toMatchObject([{ measured }])
  })
  it('evaluates policies in force that can be violated, and reports if there are none', () => {
    const old = policy([rule({})])
    const later = (rules: object[], overrides: object = {}) =>
      policy(rules, { policy_id: 'q', prev_policies: ['p'], ...overrides })
    for (const policies of [
      [],
      [policy([rule({})], { start_date: now + 1 })],
      [policy([rule({})], { end_date: now })],
      [policy([rule({ rule_type: 'user' })])],
      [old, later([])],
    ])
      expect(evaluate({ policies })).toEqual({ id: 'case', result: 'not evaluated' })
    for (const [rule_id, policies] of [
      ['new', [old, later([rule({ rule_id: 'new' })])]],
      ['r', [old, later([rule({})], { start_date: now + 1 })]],
      ['r', [policy([rule({})], { prev_policies: ['p'] })]],
    ] as const)
      expect(evaluate({ policies: [...policies] })).toMatchObject({ rules: [{ rule_id }] })
  })
})

describe('invalid input', () => {
  it.each([
    [
      'an unknown rule type',
      [policy([rule({ rule_type: 'mood' })])],
      'Policy p: Rule r: mood is no kind of rule that is known here.',
    ],
    [
      'a unit',
      [policy([rule({ rule_type: 'time', rule_units: 'fortnights' })])],
      'Policy p: Rule r: a rule of time needs rule_units, one of seconds, minutes, hours, days, not fortnights.',
    ],
    [
      'bounds in the wrong order',
      [policy([rule({ minimum: 3, maximum: 2 })])],
      'Policy p: Rule r: its minimum 3 is above its maximum 2.',
    ],
    [
      'an unknown geography',
      [policy([rule({ geographies: ['elsewhere'] })])],
      'Policy p: There is no geography elsewhere.',
    ],
    ['no geography', [policy([rule({ geographies: [] })])], 'Policy p: Rule r names no geography.'],
    [
      'a rule without an id',
      [policy([{ rule_type: 'count' }])],
      'Policy p: rules.0.rule_id: Invalid input: expected string, received undefined',
    ],
    [
      'an unknown state',
      [policy([rule({ states: { parked: [] } })])],
      'Policy p: Rule r: states: Unrecognized key: "parked"',
    ],
    [
      'a policy with two texts',
      [policy([rule({})]), policy([rule({ maximum: 1 })])],
      'Policy p is there more than once, and not the same.',
    ],
  ])('names %s', (_what, policies, error) => {
    expect(evaluate({ policies })).toEqual({ id: 'case', error })
  })
  it('names the file of a case without an id, an invalid zone, and a geography without a shape', () => {
    expect(evaluateCase(null, 'file')).toMatchObject({ id: 'file', error: expect.any(String) as string })
    expect(
      evaluate({
        policies: [policy([rule({})])],
        geographies: [
          {
            geography_id: 'zone',
            geography_json: {
              type: 'Polygon',
              coordinates: [
                [
                  [0, 0],
                  [1, 0],
                  [0, 0],
                ],
              ],
            },
          },
        ],
      }),
    ).toEqual({ id: 'case', error: 'Policy p: Geography zone encloses nothing.' })
    expect(evaluate({ clock: { now: 1e300, timezone: 'UTC' } })).toMatchObject({
      id: 'case',
      error: expect.stringContaining('clock.now') as string,
    })
    expect(evaluate({ clock: { now, timezone: 'Moon/Base' } })).toEqual({
      id: 'case',
      error: 'clock.timezone: Not an IANA time zone',
    })
    expect(
      evaluate({
        policies: [policy([rule({})])],
        geographies: [{ geography_id: 'zone', geography_json: { type: 'Polygon', coordinates: [[['x']]] } }],
      }),
    ).toEqual({ id: 'case', error: 'Policy p: Geography zone has a position that is not two numbers: [x].' })
  })
  it('excludes an invalid record and uses the others', () => {
    const events = [
      ...three.map((id) => park(id, 5)),
      null,
      park('ghost', 5),
      { ...park('a', 1), timestamp: 'now', event_id: 'e9' },
    ]
    expect(
      evaluate({
        events: events as object[],
        vehicles: [...three.map((id) => vehicle(id)), { device_id: 'd' }, vehicle('a')],
        policies: [policy([rule({})])],
      }),
    ).toMatchObject({
      rules: [{ measured: 3 }],
      set_aside: [
        { record: 'vehicle d', reason: 'provider_id: Invalid input: expected string, received undefined' },
        { record: 'vehicle a', reason: 'it is listed more than once; the last one counts' },
        { record: 'event 4' },
        { record: 'event e9' },
        { record: 'event 5', reason: 'there is no vehicle ghost' },
      ],
    })
  })
  it('treats a vehicle as being nowhere once it no longer reports its place', () => {
    const events = [...three.map((id) => park(id, 5)), park('a', 1, { location: null, event_id: 'e9' })]
    expect(evaluate({ events, policies: [policy([rule({})])] })).toMatchObject({
      rules: [{ measured: 2 }],
      set_aside: [
        { record: 'event e9', reason: 'location: missing, so the vehicle is in no geography from then on' },
      ],
    })
  })
  it('ignores exact duplicates', () => {
    const same = policy([rule({ maximum: 1 })])
    expect(evaluate({ policies: [same, { ...same }], geographies: [zone, { ...zone }] })).toMatchObject({
      total_violations: 2,
      rules: [{ rule_id: 'r' }],
    })
    expect(evaluate({ policies: [same, policy([rule({})], { end_date: now })] })).toMatchObject({
      total_violations: 2,
    })
    expect(
      evaluate({ policies: [same], geographies: [zone, { ...zone, geography_json: makeSquare(5, 5, 1) }] }),
    ).toEqual({ id: 'case', error: 'Policy p: Geography zone is there more than once, and not the same.' })
  })
  it('accepts the terms of MDS 1.2 and 0.4', () => {
    const { states: _states, ...bare } = rule({ maximum: 0 }) as Record<string, unknown>
    const events = [
      park('a', 3, { vehicle_state: 'on_trip' }),
      park('b', 2),
      { ...park('c', 1), location: undefined, telemetry: { gps: { lat: 0.5, lng: 0.5, speed: 3 } } },
    ]
    expect(
      evaluateRules({
        events,
        policies: [policy([{ ...bare, statuses: { available: [], unavailable: [] } }])],
      }),
    ).toMatchObject([{ measured: 2, vehicles: ['b', 'c'] }])
    const placed = {
      ...park('a', 1, { vehicle_state: 'unknown', event_types: ['comms_lost'] }),
      location: undefined,
      event_location: makeFeature({ type: 'Point', coordinates: [0.5, 0.5] }),
    }
    expect(
      evaluateRules({
        events: [placed],
        policies: [policy([rule({ states: { unknown: [] }, maximum: 0 })])],
      }),
    ).toMatchObject([{ vehicles: ['a'] }])
  })
})
