import { describe, expect, it } from 'vitest'
import { emptyPolicy, FeeOptions, FeeProperties, type Policy } from '#contract/policy.ts'
import { mdsRules } from './mds-rules.ts'

// Rules of the official examples of MDS Policy (release 1.2.0, CC-BY-4.0), converted to 2.0, built from our
// policy types.
const id = 'aaaaaaaa-1111-4222-8333-bbbbbbbbbbbb'
const geographyId = 'b4bcc213-4888-48ce-a33d-4dd6c3384bda'
const makeRules = (overrides: Partial<Policy>) =>
  mdsRules(
    {
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
      policy_name: 'Example',
      ...overrides,
    },
    { geographies: [{ geography_id: geographyId, name: 'Place' }], currency: 'USD' },
  ).map(({ rule_id: _id, name: _name, ...rule }) => rule)
const parked = { available: [], non_operational: [], reserved: [] }
const makeFee = (overrides: Partial<FeeProperties>) => ({
  policy_type: 'parking_fees',
  fee_properties: FeeProperties.parse(overrides),
})

describe('the official example of', () => {
  it('per-trip fees: 25 cents for trips that start in the municipal boundary', () =>
    expect(makeRules({ policy_type: 'trip_fees', value: 0.25 })).toEqual([
      {
        rule_type: 'count',
        rule_units: 'devices',
        geographies: [geographyId],
        states: { on_trip: ['trip_start'] },
        rate_amount: 25,
        rate_recurrence: 'once_on_match',
        rate_applies_when: 'in_bounds',
      },
    ]))

  it('right-of-way fees: 25 cents a day are text, because a rate would bill every vehicle that was there at any time', () =>
    expect(makeRules({ policy_type: 'vehicle_fees', value: 0.25, vehicle_states: ['available'] })).toEqual([
      { rule_type: 'user', geographies: [geographyId], states: {} },
    ]))

  it('metered parking: 10 cents an hour from 07:00 to 08:30 on weekdays are text, because a rate bills whole hours', () =>
    expect(
      makeRules(
        makeFee({
          parking_fee_type: 'variable_price_schedule',
          prices: { weekday: [{ start_time: '07:00:00', end_time: '08:30:00', price: 0.1 }] },
        }),
      ),
    ).toEqual([
      {
        rule_type: 'user',
        geographies: [geographyId],
        states: {},
        days: ['mon', 'tue', 'wed', 'thu', 'fri'],
        start_time: '07:00:00',
        end_time: '08:30:00',
      },
    ]))

  it('tiered parking: 2, 4 or 10 dollars on leaving, the longest stay first', () => {
    const tiers = [
      { start_duration: 0, end_duration: 60, price: 2 },
      { start_duration: 60, end_duration: 120, price: 4 },
      { start_duration: 120, end_duration: null, price: 10 },
    ]
    const common = {
      rule_type: 'time',
      rule_units: 'minutes',
      geographies: [geographyId],
      states: parked,
      rate_recurrence: 'once_on_unmatch',
      rate_applies_when: 'in_bounds',
    }
    expect(
      makeRules(
        makeFee({
          parking_fee_type: 'variable_price_parking_duration',
          prices_by_duration: tiers,
          options: FeeOptions.parse({ duration_mode: 'flat' }),
        }),
      ),
    ).toEqual([
      { ...common, minimum: 120, inclusive_minimum: false, rate_amount: 1000 },
      { ...common, minimum: 60, inclusive_minimum: false, maximum: 120, rate_amount: 400 },
      { ...common, minimum: 0, maximum: 60, rate_amount: 200 },
    ])
  })

  it('a provider cap: 500 vehicles in the right of way', () =>
    expect(makeRules({ policy_type: 'vehicle_cap', maximum: 500 })).toEqual([
      {
        rule_type: 'count',
        rule_units: 'devices',
        geographies: [geographyId],
        states: {
          available: [],
          non_operational: [],
          reserved: [],
          on_trip: [],
          stopped: [],
          non_contactable: [],
        },
        maximum: 500,
      },
    ]))

  it('idle time: three days at one place', () =>
    expect(makeRules({ policy_type: 'parking_time_limit', unit: 'days', maximum: 3 })).toEqual([
      { rule_type: 'time', rule_units: 'days', geographies: [geographyId], states: parked, maximum: 3 },
    ]))

  it('a prohibited zone: no vehicle, with a message to riders', () =>
    expect(makeRules({ policy_type: 'no_parking', messages: { 'en-US': 'Do not park here' } })).toEqual([
      {
        rule_type: 'count',
        rule_units: 'devices',
        geographies: [geographyId],
        states: parked,
        maximum: 0,
        messages: { 'en-US': 'Do not park here' },
      },
    ]))

  it('a speed limit: 15 mph, 10 mph for scooters at night', () => {
    expect(makeRules({ policy_type: 'slow_ride', unit: 'mph', maximum: 15 })).toEqual([
      {
        rule_type: 'speed',
        rule_units: 'mph',
        geographies: [geographyId],
        states: { on_trip: [] },
        maximum: 15,
      },
    ])
    expect(
      makeRules({
        policy_type: 'slow_ride',
        unit: 'mph',
        maximum: 10,
        vehicle_types: ['scooter'],
        start_time: '21:00:00',
        end_time: '05:00:00',
        days: [5, 6],
      }),
    ).toEqual([
      {
        rule_type: 'speed',
        rule_units: 'mph',
        geographies: [geographyId],
        states: { on_trip: [] },
        maximum: 10,
        vehicle_types: ['scooter_standing', 'scooter_seated'],
        start_time: '21:00:00',
        end_time: '05:00:00',
        days: ['fri', 'sat'],
      },
    ])
  })
})
