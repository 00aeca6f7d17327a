import { describe, expect, it, test } from 'vitest'
import { MdsRule } from '#contract/mds-policy.ts'
import { emptyPolicy, FeeOptions, FeeProperties, type Policy } from '#contract/policy.ts'
import { policyTypes } from './list.ts'
import { mdsRules, ruleId, toMdsVehicles } from './mds-rules.ts'
import { getPriceBands } from './parking-fees.ts'

const id = 'aaaaaaaa-1111-4222-8333-bbbbbbbbbbbb'
const north = { geography_id: 'cccccccc-0000-4000-8000-000000000001', name: 'North' }
const south = { geography_id: 'cccccccc-0000-4000-8000-000000000002', name: 'South' }
const ground = { geographies: [north, south], currency: 'USD' }
const makePolicy = (name: string, overrides: Partial<Policy> = {}): Policy => ({
  ...emptyPolicy(),
  policy_uuid: id,
  constant_policy_uuid: id,
  region_id: 'r',
  published: true,
  published_time: null,
  created_by_email: null,
  created_time: '',
  modified_time: '',
  modified_by_email: null,
  status: 'published',
  policy_type: name,
  policy_name: 'P',
  ...overrides,
})
const listRules = (name: string, overrides: Partial<Policy> = {}) =>
  mdsRules(makePolicy(name, overrides), ground)
const noOptions = FeeOptions.parse({})
const fee = (overrides: Partial<FeeProperties>) => ({ fee_properties: FeeProperties.parse(overrides) })
const both = [north.geography_id, south.geography_id]

describe('MDS rules', () => {
  it('rules of a cap count the whole fleet, or a group of states', () => {
    expect(listRules('vehicle_cap', { minimum: 10, maximum: 500 })).toEqual([
      {
        name: 'P',
        rule_id: ruleId(id, 0),
        rule_type: 'count',
        rule_units: 'devices',
        geographies: both,
        minimum: 10,
        maximum: 500,
        states: {
          available: [],
          non_operational: [],
          reserved: [],
          on_trip: [],
          stopped: [],
          non_contactable: [],
        },
      },
    ])
    expect(listRules('vehicle_cap', { vehicle_states: ['non_operational'] })[0]).toMatchObject({
      states: { non_operational: [] },
    })
  })
  it('rules of distribution count each shape separately, without trips', () => {
    const result = listRules('distribution', { allocation: 'vehicles_per_operator_per_shape', minimum: 5 })
    expect(
      result.map(({ geographies, minimum, rule_type: type, name }) => [geographies, minimum, type, name]),
    ).toEqual([
      [[north.geography_id], 5, 'count', 'North'],
      [[south.geography_id], 5, 'count', 'South'],
    ])
    expect(result[0]?.states).not.toHaveProperty('on_trip')
  })
  it('a rule for a share of a fleet is a text', () => {
    expect(
      listRules('distribution', {
        allocation: 'percent_vehicles_per_operator_per_shape',
        minimum: 20,
        maximum: 40,
      })[0],
    ).toMatchObject({
      rule_type: 'user',
      name: "North: at least 20% and at most 40% of the operator's vehicles (a share of a fleet is no MDS rule)",
    })
  })
  it('rules of drop-offs count events', () =>
    expect(
      listRules('operator_drop_offs', { maximum: 4 }).map(({ states, maximum }) => [states, maximum]),
    ).toEqual([
      [{ available: ['provider_drop_off'] }, 4],
      [{ available: ['provider_drop_off'] }, 4],
    ]))
  it('MDS rules forbid parking and riding by a maximum of 0', () => {
    expect(listRules('no_parking')).toMatchObject([
      {
        rule_type: 'count',
        maximum: 0,
        states: { available: [], non_operational: [], reserved: [] },
        geographies: both,
      },
    ])
    expect(listRules('no_ride')).toMatchObject([{ rule_type: 'count', maximum: 0, states: { on_trip: [] } }])
  })
  it('rules of limits have the unit of the policy', () => {
    expect(listRules('parking_time_limit', { unit: 'days', maximum: 3 })).toMatchObject([
      { rule_type: 'time', rule_units: 'days', maximum: 3 },
    ])
    expect(listRules('slow_ride', { unit: 'mph', maximum: 10 })).toMatchObject([
      { rule_type: 'speed', rule_units: 'mph', maximum: 10, states: { on_trip: [] } },
    ])
  })
  it('a rule is a text if MDS lacks its measure', () => {
    expect(listRules('utilization', { minimum: 2 })).toMatchObject([
      {
        rule_type: 'user',
        name: 'at least 2 trips per vehicle and day on average (a mean of a fleet is no MDS rule)',
      },
    ])
    expect(listRules('preferred_parking', { minimum: 80 })).toMatchObject([{ rule_type: 'user' }])
    expect(listRules('utilization')[0]).not.toHaveProperty('rule_units')
  })
})

describe('MDS rules of fees', () => {
  it('MDS rules of fees per trip are in cents', () =>
    expect(listRules('trip_fees', { value: 0.25 })).toMatchObject([
      {
        rule_type: 'count',
        states: { on_trip: ['trip_start'] },
        rate_amount: 25,
        rate_recurrence: 'once_on_match',
        rate_applies_when: 'in_bounds',
      },
    ]))
  it('MDS rules of fees per trip with options are text, because a rate would bill another amount', () =>
    expect(
      listRules('trip_fees', { value: 0.25, ...fee({ options: { ...noOptions, free_quantity: 100 } }) }),
    ).toMatchObject([{ rule_type: 'user', name: '0.25 USD per trip; with further terms, see the policy' }]))
  it('MDS rules of fees per vehicle and day are text', () =>
    expect(
      listRules('vehicle_fees', { value: 0.05, ...fee({ vehicle_count_method: 'sae_max' }) }),
    ).toMatchObject([{ rule_type: 'user', name: '0.05 USD per vehicle and day, fleet counted by sae_max' }]))
  it('MDS rules of fees per parking event are text', () => {
    const [rule] = listRules('parking_fees', {
      ...fee({ parking_fee_type: 'fixed_price_per_event' }),
      value: 1,
    })
    expect(rule).toMatchObject({ rule_type: 'user', name: '1 USD for each parking event' })
    expect(rule).not.toHaveProperty('rate_amount')
  })
  it('MDS rules of fees by time of day are text, each day with its most specific table', () => {
    const makePriceBand = (amount: number, end: string | null = null) => [
      { start_time: '07:00:00', end_time: end, price: amount },
    ]
    const prices = { all: makePriceBand(1), weekday: makePriceBand(2, '09:00:00'), monday: makePriceBand(3) }
    const result = listRules('parking_fees', fee({ parking_fee_type: 'variable_price_schedule', prices }))
    expect(
      result.map(({ name, days, start_time: start, end_time: end }) => [name, days, start, end]),
    ).toEqual([
      ['1 USD per hour parked, in proportion', ['sun', 'sat'], '07:00:00', '23:59:59'],
      ['3 USD per hour parked, in proportion', ['mon'], '07:00:00', '23:59:59'],
      ['2 USD per hour parked, in proportion', ['tue', 'wed', 'thu', 'fri'], '07:00:00', '09:00:00'],
    ])
    expect([1, 2, 6, 7].map((weekday) => getPriceBands(prices, weekday)[0]?.price)).toEqual([3, 2, 1, 1])
    expect(
      listRules(
        'parking_fees',
        fee({ parking_fee_type: 'variable_price_schedule', prices: { all: makePriceBand(1) } }),
      )[0],
    ).not.toHaveProperty('days')
  })
  it('MDS rules of fees by duration are ordered from the longest. Flat bands apply on leaving, others are text', () => {
    const prices_by_duration = [
      { start_duration: 0, end_duration: 60, price: 2 },
      { start_duration: 61, end_duration: null, price: 4 },
    ]
    const listRulesOfMode = (duration_mode: 'flat' | 'marginal' | 'retroactive') =>
      listRules(
        'parking_fees',
        fee({
          parking_fee_type: 'variable_price_parking_duration',
          prices_by_duration,
          options: { ...noOptions, duration_mode },
        }),
      )
    expect(listRulesOfMode('flat')).toMatchObject([
      { rule_units: 'minutes', minimum: 60, inclusive_minimum: false, rate_amount: 400 },
      { minimum: 0, maximum: 60, rate_amount: 200, rate_recurrence: 'once_on_unmatch' },
    ])
    expect(listRulesOfMode('marginal').map(({ rule_type: type, name }) => [type, name])).toEqual([
      ['user', '4 USD per hour within 60 minutes or more'],
      ['user', '2 USD per hour within 0 to 60 minutes'],
    ])
    expect(listRulesOfMode('retroactive').every(({ rule_type: type }) => type === 'user')).toBe(true)
  })
})

test('Every rule has the times, days and messages of the policy. Midnight is the default', () => {
  expect(
    listRules('no_ride', {
      start_time: '22:00:00',
      end_time: null,
      days: [7, 1],
      messages: { 'en-US': 'Walk' },
    })[0],
  ).toMatchObject({
    start_time: '22:00:00',
    end_time: '23:59:59',
    days: ['sun', 'mon'],
    messages: { 'en-US': 'Walk' },
  })
  expect(listRules('no_ride', { end_time: '06:00:00' })[0]).toMatchObject({
    start_time: '00:00:00',
    end_time: '06:00:00',
  })
  for (const field of ['start_time', 'end_time', 'days', 'messages', 'vehicle_types', 'minimum'])
    expect(listRules('no_ride')[0]).not.toHaveProperty(field)
})

test('Vehicle types and propulsion types have the names of MDS', () => {
  expect(toMdsVehicles([], [])).toEqual({})
  expect(toMdsVehicles(['scooter'], [])).toEqual({ vehicle_types: ['scooter_standing', 'scooter_seated'] })
  expect(toMdsVehicles(['pedal_bicycle'], [])).toEqual({
    vehicle_types: ['bicycle'],
    propulsion_types: ['human'],
  })
  expect(toMdsVehicles(['bicycle'], [])).toEqual({
    vehicle_types: ['bicycle'],
    propulsion_types: ['electric_assist', 'electric'],
  })
  expect(toMdsVehicles(['bicycle', 'pedal_bicycle'], [])).toEqual({ vehicle_types: ['bicycle'] })
  expect(toMdsVehicles(['bicycle', 'moped'], []).propulsion_types).not.toContain('human')
  expect(toMdsVehicles(['pedal_bicycle', 'moped'], []).propulsion_types).toEqual(
    expect.arrayContaining(['human', 'electric', 'combustion']),
  )
  expect(toMdsVehicles(['pedal_bicycle', 'moped'], []).propulsion_types).not.toContain('electric_assist')
  expect(toMdsVehicles(['bicycle'], ['electric', 'human'])).toEqual({
    vehicle_types: ['bicycle'],
    propulsion_types: ['electric'],
  })
  expect(toMdsVehicles([], ['combustion'])).toEqual({ propulsion_types: ['combustion'] })
})

test('Rule ids are stable, differ by number and policy, and are UUIDs', () => {
  const ids = [0, 1, 2, 3].flatMap((n) => [ruleId(id, n), ruleId('dddddddd-1111-4222-8333-bbbbbbbbbbbc', n)])
  expect(new Set(ids).size).toBe(8)
  expect(ruleId(id, 1)).toBe(ruleId(id, 1))
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
})

test.each(policyTypes.map(({ name }) => name))(
  '%s survives a round trip; names are cut to 255 characters',
  (name) => {
    const result = listRules(name, {
      policy_name: 'n'.repeat(255),
      value: 1,
      unit: 'hours',
      allocation: 'vehicles_per_operator_per_shape',
      ...fee({ parking_fee_type: 'fixed_price_per_event' }),
    })
    expect(result.length).toBeGreaterThan(0)
    for (const rule of result) {
      expect(MdsRule.parse(rule)).toEqual(rule)
      expect(rule.name.length).toBeLessThanOrEqual(255)
    }
  },
)

test('An unknown type has no rules', () => expect(listRules('congestion')).toEqual([]))
