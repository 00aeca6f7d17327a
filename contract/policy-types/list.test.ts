import { describe, expect, it, test } from 'vitest'
import { emptyPolicy, FeeProperties, policyGroups } from '#contract/policy.ts'
import { offeredFields, findPolicyType, policyTypes } from './list.ts'

// Type, group, whether its limits are counts, unit of its time window.
const table = [
  ['distribution', 'vehicle', true, 'hours'],
  ['no_parking', 'parking', false, 'hours'],
  ['no_ride', 'trip', false, 'hours'],
  ['operator_drop_offs', 'vehicle', true, 'hours'],
  ['parking_fees', 'parking', false, 'hours'],
  ['parking_time_limit', 'parking', false, undefined],
  ['preferred_parking', 'parking', false, 'minutes'],
  ['slow_ride', 'trip', false, 'minutes'],
  ['trip_fees', 'trip', false, undefined],
  ['utilization', 'trip', true, undefined],
  ['vehicle_cap', 'vehicle', true, undefined],
  ['vehicle_fees', 'vehicle', false, undefined],
] as const
const withoutTimes = ['vehicle_cap', 'parking_time_limit', 'utilization', 'trip_fees', 'vehicle_fees']
const withoutMessage = [
  'vehicle_cap',
  'utilization',
  'parking_time_limit',
  'distribution',
  'operator_drop_offs',
  'parking_fees',
  'trip_fees',
  'vehicle_fees',
]
const entireRegion = ['vehicle_cap', 'utilization', 'trip_fees', 'vehicle_fees']
const citywide = ['no_ride', 'no_parking', 'parking_time_limit']
const names = table.map(([name]) => name)
const listOfferedFields = (name: string, parkingFeeType: FeeProperties['parking_fee_type'] = null) =>
  offeredFields({
    ...emptyPolicy(),
    policy_type: name,
    fee_properties: FeeProperties.parse({ parking_fee_type: parkingFeeType }),
  })

test('Twelve policy types exist', () =>
  expect(policyTypes.map(({ name }) => name).sort()).toEqual([...names].sort()))

test.each(table)(
  '%s is of group %s, has count limits: %s, time window in %s',
  (name, group, hasCountLimits, unit) => {
    expect(findPolicyType(name)).toMatchObject({ group, hasCountLimits })
    expect(findPolicyType(name)?.timeWindowUnit).toBe(unit)
    expect(policyGroups).toContain(group)
  },
)

describe.each(names)('%s', (name) => {
  it('offers times and days unless the specification excepts it', () => {
    for (const field of ['start_time', 'end_time', 'days'])
      expect(listOfferedFields(name).has(field)).toBe(!withoutTimes.includes(name))
  })
  it('offers a rider message unless excepted', () =>
    expect(listOfferedFields(name).has('messages')).toBe(!withoutMessage.includes(name)))
  it('applies where the specification allows it', () => {
    const expectedPlace = entireRegion.includes(name)
      ? 'region'
      : citywide.includes(name)
        ? 'shapes_or_citywide'
        : 'shapes'
    expect(findPolicyType(name)?.place).toBe(expectedPlace)
    expect(listOfferedFields(name).has('shape_layer_uuid')).toBe(expectedPlace !== 'region')
  })
  it('is a fee if and only if its name ends in _fees', () =>
    expect(findPolicyType(name)?.isFee).toBe(name.endsWith('_fees')))
})

test('The fields of a parking fee depend on its price structure', () => {
  expect([...listOfferedFields('parking_fees', 'fixed_price_per_event')]).toEqual([
    'shape_layer_uuid',
    'shape_uuids',
    'parking_fee_type',
    'value',
    'start_time',
    'end_time',
    'days',
  ])
  expect([...listOfferedFields('parking_fees', 'variable_price_schedule')]).toEqual([
    'shape_layer_uuid',
    'shape_uuids',
    'parking_fee_type',
    'prices',
  ])
  expect([...listOfferedFields('parking_fees', 'variable_price_parking_duration')]).toContain(
    'prices_by_duration',
  )
})

test('An unknown type offers nothing', () =>
  expect([findPolicyType('congestion'), listOfferedFields('congestion').size]).toEqual([null, 0]))

test('Each type declares the measure of its compliance', () => {
  const checkIsMeasured = (name: string, overrides: object = {}) =>
    findPolicyType(name)?.measure({ ...emptyPolicy(), policy_type: name, ...overrides })
  expect(checkIsMeasured('vehicle_cap')).toEqual({ kind: 'fleet', method: 'max' })
  expect(
    checkIsMeasured('vehicle_cap', {
      fee_properties: FeeProperties.parse({ vehicle_count_method: 'sae_max' }),
    }),
  ).toEqual({ kind: 'fleet', method: 'sae_max' })
  expect(checkIsMeasured('distribution', { allocation: 'vehicles_per_operator_per_shape' })).toEqual({
    kind: 'fleet_in_shape',
    share: false,
  })
  expect(checkIsMeasured('distribution', { allocation: 'percent_vehicles_per_operator_per_shape' })).toEqual({
    kind: 'fleet_in_shape',
    share: true,
  })
  expect(
    [
      'operator_drop_offs',
      'utilization',
      'parking_time_limit',
      'no_parking',
      'no_ride',
      'slow_ride',
      'preferred_parking',
      'parking_fees',
      'trip_fees',
      'vehicle_fees',
    ].map((name) => checkIsMeasured(name)?.kind),
  ).toEqual([
    'drop_offs',
    'trips_per_vehicle',
    'parked_longer',
    'parked',
    'ridden',
    'speeding',
    'parked_share',
    'fee',
    'fee',
    'fee',
  ])
})
