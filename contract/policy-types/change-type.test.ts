import { describe, expect, it } from 'vitest'
import { emptyPolicy, FeeProperties, type PolicyFields } from '#contract/policy.ts'
import { changePriceStructure, changeType, emptyPriceBand, emptyPriceByDuration } from './change-type.ts'

const full: PolicyFields = {
  ...emptyPolicy(),
  policy_type: 'distribution',
  minimum: 3,
  maximum: 9,
  allocation: 'vehicles_per_operator_per_shape',
  start_time: '07:00:00',
  end_time: '09:00:00',
  days: [1, 2],
  unit: null,
  operators: ['swift'],
}
const us = { locale: 'en-US' }

describe('changeType', () => {
  it('resets minimum and maximum and leaves operators', () =>
    expect(changeType(full, 'operator_drop_offs', us)).toMatchObject({
      policy_type: 'operator_drop_offs',
      minimum: null,
      maximum: null,
      operators: ['swift'],
    }))
  it('clears the allocation unless it is distribution', () => {
    expect(changeType(full, 'no_ride', us).allocation).toBeNull()
    expect(changeType(full, 'distribution', us).allocation).toBe('vehicles_per_operator_per_shape')
  })
  it.each([
    ['parking_time_limit', 'en-US', 'hours'],
    ['slow_ride', 'en-US', 'mph'],
    ['slow_ride', 'en-GB', 'kph'],
    ['slow_ride', 'es', 'kph'],
    ['no_ride', 'en-US', null],
  ])('%s in %s has the unit %s', (name, locale, unit) =>
    expect(changeType(full, name, { locale }).unit).toBe(unit),
  )
  it('starts a parking fee with a fixed price', () => {
    expect(changeType(full, 'parking_fees', us).fee_properties.parking_fee_type).toBe('fixed_price_per_event')
    expect(
      changeType(changeType(full, 'parking_fees', us), 'trip_fees', us).fee_properties.parking_fee_type,
    ).toBeNull()
  })
  it.each(['vehicle_cap', 'parking_time_limit', 'utilization', 'trip_fees', 'vehicle_fees'])(
    '%s has no times and days',
    (name) =>
      expect(changeType(full, name, us)).toMatchObject({ start_time: null, end_time: null, days: [] }),
  )
  it.each(['no_ride', 'slow_ride', 'parking_fees'])('%s retains them', (name) =>
    expect(changeType(full, name, us)).toMatchObject({
      start_time: '07:00:00',
      end_time: '09:00:00',
      days: [1, 2],
    }),
  )
})

describe('changing the price structure', () => {
  const fees = {
    ...full,
    policy_type: 'parking_fees',
    fee_properties: FeeProperties.parse({
      parking_fee_type: 'fixed_price_per_event',
      prices: { monday: [emptyPriceBand] },
      prices_by_duration: [emptyPriceByDuration],
    }),
  }
  it('starts the new table with one row and empties the other', () => {
    expect(changePriceStructure(fees, 'variable_price_schedule').fee_properties).toMatchObject({
      prices: { all: [emptyPriceBand] },
      prices_by_duration: [],
    })
    expect(changePriceStructure(fees, 'variable_price_parking_duration').fee_properties).toMatchObject({
      prices: {},
      prices_by_duration: [emptyPriceByDuration],
    })
    expect(changePriceStructure(fees, 'fixed_price_per_event').fee_properties).toMatchObject({
      prices: {},
      prices_by_duration: [],
    })
  })
  it('changing the price structure to a schedule removes the time window', () => {
    expect(changePriceStructure(fees, 'variable_price_schedule').days).toEqual([])
    expect(changePriceStructure(fees, 'variable_price_parking_duration').days).toEqual([1, 2])
  })
})
