import { describe, expect, it, test } from 'vitest'
import { emptyPolicy, FeeProperties, type PolicyFields } from '#contract/policy.ts'
import { faultTexts } from './policy-type.ts'
import { validatePolicy } from './validate-policy.ts'

const layer = 'aaaaaaaa-0000-4000-8000-000000000001'
const check = (name: string, overrides: Partial<PolicyFields> = {}, currency = 'USD') =>
  validatePolicy(
    { ...emptyPolicy(), policy_name: 'P', policy_type: name, shape_layer_uuid: layer, ...overrides },
    { currency },
  )
const makeFee = (overrides: Partial<FeeProperties>) => ({ fee_properties: FeeProperties.parse(overrides) })
const makeBand = (start: string | null, end: string | null, price: number | null = 1) => ({
  start_time: start,
  end_time: end,
  price,
})

test('Every type requires a name, a type and a geography', () => {
  expect(validatePolicy(emptyPolicy(), { currency: 'USD' })).toEqual({
    policy_name: 'required',
    policy_type: 'required',
  })
  expect(check('no_ride', { policy_name: '  ', shape_layer_uuid: null })).toEqual({
    policy_name: 'required',
    shape_layer_uuid: 'required',
  })
  expect(faultTexts.required).toBe('Please enter a value')
})

test.each(['trip_fees', 'utilization', 'vehicle_cap', 'vehicle_fees'])('%s needs no geography', (name) =>
  expect(check(name, { shape_layer_uuid: null })).not.toHaveProperty('shape_layer_uuid'),
)

test.each([
  ['no_ride', true],
  ['no_parking', true],
  ['parking_time_limit', true],
  ['slow_ride', false],
  ['distribution', false],
  ['parking_fees', false],
])('%s citywide: %s', (name, allowed) => {
  expect('shape_layer_uuid' in check(name, { shape_layer_uuid: 'citywide' })).toBe(!allowed)
})

describe('each type requires', () => {
  it.each([
    ['distribution', { allocation: 'required' }],
    ['parking_time_limit', { unit: 'required' }],
    ['slow_ride', { unit: 'required' }],
    ['trip_fees', { value: 'required_silently' }],
    ['vehicle_fees', { value: 'required', vehicle_count_method: 'required' }],
    ['parking_fees', { parking_fee_type: 'required' }],
    ['no_ride', {}],
    ['no_parking', {}],
    ['operator_drop_offs', {}],
    ['utilization', {}],
    ['vehicle_cap', {}],
    ['preferred_parking', {}],
  ])('the type %s has the faults %j', (name, expected) => expect(check(name)).toEqual(expected))
  it('a value of a fixed parking fee, rows of a variable one', () => {
    expect(check('parking_fees', makeFee({ parking_fee_type: 'fixed_price_per_event' }))).toEqual({
      value: 'required',
    })
    expect(
      check('parking_fees', { ...makeFee({ parking_fee_type: 'fixed_price_per_event' }), value: 0 }),
    ).toEqual({})
    expect(check('parking_fees', makeFee({ parking_fee_type: 'variable_price_schedule' }))).toEqual({
      prices: 'one_row',
    })
    expect(check('parking_fees', makeFee({ parking_fee_type: 'variable_price_parking_duration' }))).toEqual({
      prices_by_duration: 'one_row',
    })
  })
  it('shows no text for a trip fee without a value', () => expect(faultTexts.required_silently).toBe(''))
})

describe('numbers', () => {
  it.each([
    [{ minimum: 1.5 }, { minimum: 'integer' }],
    [{ maximum: -1 }, { maximum: 'integer' }],
    [{ minimum: 5, maximum: 4 }, { minimum: 'minimum_over_maximum' }],
    [{ minimum: 4, maximum: 4 }, {}],
    [{ maximum: 0 }, {}],
  ])('validates the numbers of a cap %j: %j', (overrides, expected) =>
    expect(check('vehicle_cap', overrides)).toEqual(expected),
  )
  it('shares are percentages', () => {
    expect(check('preferred_parking', { minimum: 101 })).toEqual({ minimum: 'percent' })
    expect(
      check('distribution', { allocation: 'percent_vehicles_per_operator_per_shape', maximum: 101 }),
    ).toEqual({ maximum: 'percent' })
    expect(check('distribution', { allocation: 'vehicles_per_operator_per_shape', maximum: 101 })).toEqual({})
  })
  it('amounts of money have no more digits than the currency', () => {
    expect([
      check('trip_fees', { value: 0.25 }),
      check('trip_fees', { value: 0.255 }),
      check('trip_fees', { value: 0.25 }, 'JPY'),
      check('trip_fees', { value: 0.255 }, 'KWD'),
    ]).toEqual([{}, { value: 'amount' }, { value: 'amount' }, {}])
  })
  it('requires a unit that the type offers', () =>
    expect(check('slow_ride', { unit: 'hours' })).toEqual({ unit: 'required' }))
})

describe('times', () => {
  it.each(['no_ride', 'no_parking', 'operator_drop_offs'])('requires whole hours as times of %s', (name) => {
    expect(check(name, { start_time: '07:30:00', end_time: '09:15:00' })).toEqual({
      start_time: 'whole_hours',
      end_time: 'whole_hours',
    })
    expect(check(name, { start_time: '22:00:00', end_time: '23:59:59' })).toEqual({})
    expect(faultTexts.whole_hours).toBe("Policy only supports hour increments. Minutes must be ':00'")
  })
  it('accepts any minute as a time of types in minutes', () =>
    expect(check('slow_ride', { unit: 'mph', start_time: '07:30:00', end_time: '09:15:00' })).toEqual({}))
  it('accepts overnight times; start and end must differ', () => {
    expect(check('no_ride', { start_time: '22:00:00', end_time: '06:00:00' })).toEqual({})
    expect(check('no_ride', { start_time: '22:00:00', end_time: '22:00:00' })).toEqual({
      end_time: 'same_times',
    })
    expect(check('no_ride', { start_time: '00:00:00', end_time: '00:00:00' })).toEqual({})
  })
})

describe('price tables', () => {
  it.each([
    [[makeBand(null, '08:00:00'), makeBand('08:00:00', null)], undefined],
    [[makeBand('22:00:00', '06:00:00'), makeBand('06:00:00', '22:00:00')], undefined],
    [[makeBand('22:00:00', '06:00:00'), makeBand('05:00:00', '22:00:00')], 'times_overlap'],
    [[makeBand('08:00:00', '08:00:00')], 'times_overlap'],
    [[makeBand('06:00:00', '09:00:00'), makeBand('08:00:00', '10:00:00')], 'times_overlap'],
    [[makeBand(null, null), makeBand('08:00:00', null)], 'times_overlap'],
    [[makeBand(null, null, null)], 'required'],
    [[makeBand(null, null, 0.001)], 'amount'],
    [[makeBand('20:00:00', '00:00:00')], undefined],
  ])('validates price tables by time %j: %s', (bands, fault) =>
    expect(
      check('parking_fees', makeFee({ parking_fee_type: 'variable_price_schedule', prices: { all: bands } }))
        .prices,
    ).toBe(fault),
  )
  it.each([
    [
      [
        { start_duration: 0, end_duration: 60, price: 1 },
        { start_duration: 60, end_duration: null, price: 2 },
      ],
      undefined,
    ],
    [[{ start_duration: 60, end_duration: 30, price: 1 }], 'duration_order'],
    [
      [
        { start_duration: 0, end_duration: 60, price: 1 },
        { start_duration: 30, end_duration: null, price: 2 },
      ],
      'durations_overlap',
    ],
    [
      [
        { start_duration: 0, end_duration: null, price: 1 },
        { start_duration: 30, end_duration: null, price: 2 },
      ],
      'durations_overlap',
    ],
    [[{ start_duration: 0, end_duration: null, price: null }], 'required'],
    [[{ start_duration: 0, end_duration: null, price: 0.125 }], 'amount'],
  ])('validates price tables by duration %j: %s', (rows, fault) =>
    expect(
      check(
        'parking_fees',
        makeFee({ parking_fee_type: 'variable_price_parking_duration', prices_by_duration: rows }),
      ).prices_by_duration,
    ).toBe(fault),
  )
})

test('An optional geography, operators, vehicle types and dates may stay empty', () =>
  expect(check('no_parking')).toEqual({}))

test.each([
  ['a free quantity with too many decimals', { free_quantity: 0.12345678 }, 'quantity'],
  ['a tier with too many decimals', { tiers: [{ from: 0.12345678, price: 1 }] }, 'quantity'],
  [
    'tiers out of order',
    {
      tiers: [
        { from: 5, price: 1 },
        { from: 5, price: 2 },
      ],
    },
    'tiers_order',
  ],
  ['a minimum over the maximum', { minimum_amount: 2, maximum_amount: 1 }, 'minimum_over_maximum'],
])('A fee with %s is refused', (_name, options, fault) =>
  expect(check('trip_fees', { value: 1, fee_properties: FeeProperties.parse({ options }) })).toMatchObject({
    fee_options: fault,
  }),
)

test('A tier above any quantity is refused', () =>
  expect(FeeProperties.safeParse({ options: { tiers: [{ from: 1e300, price: 1 }] } }).success).toBe(false))
