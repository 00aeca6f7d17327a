import { describe, expect, it, test } from 'vitest'
import type { MdsRule } from '#contract/mds-policy.ts'
import { emptyPolicy, type Policy, type PolicyFields } from '#contract/policy.ts'
import { mdsRules } from '#contract/policy-types/mds-rules.ts'
import { matchPolicyType, areRulesEqual } from './match-policy-type.ts'
import { upgradePolicy } from './upgrade-policy.ts'

const layer = '00000000-0000-4000-8000-000000000000'
const two = [
  { geography_id: 'g1', name: 'One' },
  { geography_id: 'g2', name: 'Two' },
]
const makeRules = (overrides: Partial<PolicyFields>, geographies = two): MdsRule[] =>
  mdsRules(
    {
      ...emptyPolicy(),
      policy_name: 'x',
      shape_layer_uuid: layer,
      policy_uuid: layer,
      ...overrides,
    } as Policy,
    { geographies, currency: 'USD' },
  )
const read = (rules: readonly MdsRule[], isEntireArea = false, geographies = two) =>
  matchPolicyType(rules, { geographies, isEntireArea, currency: 'USD' })
const places = two.slice(0, 1)

describe('rules that we publish match our policy types:', () => {
  const cases: [string, Partial<PolicyFields>][] = [
    [
      'no parking at night',
      {
        policy_type: 'no_parking',
        start_time: '21:00:00',
        end_time: '05:00:00',
        days: [5, 6],
        messages: { 'en-US': 'Not here' },
      },
    ],
    ['no riding for scooters', { policy_type: 'no_ride', vehicle_types: ['scooter'] }],
    [
      'a time limit',
      {
        policy_type: 'parking_time_limit',
        unit: 'days',
        maximum: 3,
        vehicle_types: ['bicycle', 'pedal_bicycle'],
      },
    ],
    [
      'a speed for electric bikes',
      { policy_type: 'slow_ride', unit: 'mph', maximum: 8, vehicle_types: ['bicycle'] },
    ],
    [
      'a distribution of available vehicles',
      {
        policy_type: 'distribution',
        allocation: 'vehicles_per_operator_per_shape',
        minimum: 5,
        maximum: 40,
        vehicle_states: ['available'],
      },
    ],
    [
      'drop-offs',
      { policy_type: 'operator_drop_offs', minimum: 3, start_time: '06:00:00', end_time: '10:00:00' },
    ],
  ]
  it.each(cases)('%s', (_, fields) => {
    const rules = makeRules(fields)
    const matched = read(rules)
    expect(matched).toMatchObject(fields)
    expect(makeRules(matched ?? {})).toEqual(rules)
  })

  it('a cap and a trip fee, on a municipal boundary alone', () => {
    for (const fields of [
      { policy_type: 'vehicle_cap', minimum: 20, maximum: 500 },
      { policy_type: 'trip_fees', value: 0.25 },
    ]) {
      expect(read(makeRules(fields, places), true, places)).toMatchObject(fields)
      expect(read(makeRules(fields, places), false, places)?.policy_type).not.toBe(fields.policy_type)
    }
  })
})

describe('rules with anything else match no policy type:', () => {
  const [ban] = makeRules({ policy_type: 'no_parking' })
  const more: [string, Partial<MdsRule>][] = [
    ['an open bound', { maximum: 3, inclusive_maximum: false }],
    ['a fine', { rate_amount: 100 }],
    ['a half hour', { start_time: '07:30:00' }],
    ['another state', { states: { available: [], reserved: [] } }],
    ['access', { accessibility_options: ['wheelchair_accessible'] }],
    ['a live count', { value_url: 'https://a.example/count' }],
    ['unknown vehicles', { vehicle_types: ['hovercraft'] }],
    ['text alone', { rule_type: 'user' }],
  ]
  it.each(more)('%s', (_, part) => expect(read([{ ...(ban as MdsRule), ...part }])).toBeNull())

  it('no rules, two rules with different times, a rule for two shapes combined', () => {
    expect(read([])).toBeNull()
    expect(read([ban as MdsRule, { ...(ban as MdsRule), days: ['sun'] }])).toBeNull()
    expect(read([{ ...(ban as MdsRule), maximum: 4 }])).toBeNull()
  })
})

test('Explicit defaults are equal to omitted ones', () => {
  const written = {
    minimum: 0,
    inclusive_maximum: true,
    start_time: '00:00',
    end_time: '24:00:00',
    days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
    vehicle_types: [],
    messages: {},
  } satisfies Partial<MdsRule>
  expect(read(makeRules({ policy_type: 'no_ride' }).map((rule) => ({ ...rule, ...written })))).toMatchObject({
    policy_type: 'no_ride',
    days: [],
    start_time: null,
    end_time: null,
  })
})

const rule: MdsRule = {
  name: 'A',
  rule_id: 'a',
  rule_type: 'count',
  geographies: ['g1', 'g2'],
  states: { available: ['trip_end', 'located'], reserved: [] },
  maximum: 5,
  days: ['sat', 'sun'],
  vehicle_types: ['car', 'moped'],
}

describe('two rules are equal', () => {
  const same: [string, Partial<MdsRule>][] = [
    ['by other names', { name: 'B', rule_id: 'b' }],
    ['with the unit written out', { rule_units: 'devices' }],
    [
      'in another order',
      {
        geographies: ['g2', 'g1'],
        days: ['sun', 'sat'],
        vehicle_types: ['moped', 'car'],
        states: { reserved: [], available: ['located', 'trip_end'] },
      },
    ],
    ['with a minimum of zero', { minimum: 0 }],
    ['with bounds written out', { inclusive_minimum: true, inclusive_maximum: true }],
    ['with all the day', { start_time: '00:00', end_time: '24:00' }],
    ['up to its last second', { end_time: '23:59:59' }],
    [
      'with nulls',
      { minimum: null, rate_amount: null, propulsion_types: null, messages: null, value_url: null },
    ],
    ['with empty lists', { propulsion_types: [], accessibility_options: [], messages: {} }],
  ]
  it.each(same)('%s', (_, part) => expect(areRulesEqual([rule], [{ ...rule, ...part }])).toBe(true))

  const other: [string, Partial<MdsRule>][] = [
    ['another number', { maximum: 6 }],
    ['another unit', { rule_units: 'hours' }],
    ['another state', { states: { available: [] } }],
    ['all states', { states: {} }],
    ['another place', { geographies: ['g1'] }],
    ['another day', { days: ['sat'] }],
    ['every day', { days: [] }],
    ['a time', { start_time: '06:00' }],
    ['an open bound', { inclusive_maximum: false }],
    ['a fine', { rate_amount: 1 }],
    ['a message', { messages: { en: 'x' } }],
  ]
  it.each(other)('but not with %s', (_, part) =>
    expect(areRulesEqual([rule], [{ ...rule, ...part }])).toBe(false),
  )

  it('as lists, if each rule occurs equally often, in any order', () => {
    const more = { ...rule, maximum: 9 }
    expect(areRulesEqual([rule, more], [more, rule])).toBe(true)
    expect(areRulesEqual([rule, rule], [rule, more])).toBe(false)
    expect(areRulesEqual([rule], [rule, rule])).toBe(false)
  })
})

describe('policies of 1.2', () => {
  const later = (part: object) => (upgradePolicy({ rules: [part] }) as { rules: unknown[] }).rules[0]
  it('converts policies of 1.2 to 2.0: fees, states, scooters', () => {
    expect(later({ rule_type: 'rate', rule_units: 'amount', rate_recurrence: 'once' })).toEqual({
      rule_type: 'count',
      rule_units: 'devices',
      rate_applies_when: 'in_bounds',
      rate_recurrence: 'once_on_match',
    })
    expect(later({ rule_type: 'rate', rule_units: 'hours' })).toMatchObject({
      rule_type: 'time',
      rule_units: 'hours',
    })
    expect(
      later({
        vehicle_types: ['bicycle', 'scooter', 'scooter_seated'],
        states: { unknown: [], on_trip: [] },
      }),
    ).toEqual({
      vehicle_types: ['bicycle', 'scooter_standing', 'scooter_seated'],
      states: { non_contactable: [], on_trip: [] },
    })
  })

  it('changes neither policies of 2.0 nor other values', () => {
    for (const raw of [
      { rules: [{ rule_type: 'speed', rule_units: 'mph', states: { on_trip: [] } }] },
      { rules: 'x' },
      { rules: [null, 3] },
      null,
      7,
      'x',
      [],
    ])
      expect(upgradePolicy(raw)).toEqual(raw)
  })
})
