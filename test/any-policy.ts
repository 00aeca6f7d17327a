import fc from 'fast-check'
import { type VehicleType, vehicleTypeTexts } from '#contract/mobility.ts'
import { removeInvisible } from '#contract/names.ts'
import { policyTypes } from '#contract/policy-types/list.ts'
import { dayFromNumber } from '#contract/period.ts'
import {
  Allocation,
  citywide,
  ParkingFeeType,
  PolicyFields,
  PolicyUnit,
  PriceDay,
  propulsionTypes,
  VehicleCountMethod,
  vehicleStateGroups,
} from '#contract/policy.ts'

const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null })
const hour = fc.integer({ min: 0, max: 23 }).map((number) => `${String(number).padStart(2, '0')}:00:00`)
const time = fc.oneof(hour, fc.constantFrom('23:59:59', '00:00:00', '07:30:00'))
const price = fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100)
const band = fc.record({ start_time: orNull(time), end_time: orNull(time), price: orNull(price) })
const duration = fc.record({
  start_duration: fc.nat(2000),
  end_duration: orNull(fc.integer({ min: 1, max: 4000 })),
  price: orNull(price),
})
const day = fc.integer({ min: 20_000, max: 22_000 }).map(dayFromNumber)
const count = fc.oneof(fc.nat(500), fc.constantFrom(0, 1, 100, 101))
const text = fc.string({ maxLength: 300, unit: 'grapheme' }).map((value) => value.slice(0, 255))

/** Policies of every type with any values in all fields of the API, also in fields of other types. */
export const anyPolicy: fc.Arbitrary<PolicyFields> = fc
  .record({
    policy_type: fc.constantFrom(...policyTypes.map(({ name }) => name)),
    policy_name: text.map(removeInvisible),
    description: orNull(text),
    shape_layer_uuid: orNull(fc.oneof(fc.uuid({ version: 4 }), fc.constant(citywide))),
    shape_uuids: fc.array(fc.uuid({ version: 4 }), { maxLength: 3 }),
    unit: orNull(fc.constantFrom(...PolicyUnit.options)),
    allocation: orNull(fc.constantFrom(...Allocation.options)),
    vehicle_types: fc.subarray(Object.keys(vehicleTypeTexts) as VehicleType[]),
    vehicle_states: fc
      .constantFrom(...Object.values(vehicleStateGroups))
      .map((states) => states && [...states]),
    propulsion_types: fc.subarray([...propulsionTypes]),
    minimum: orNull(count),
    maximum: orNull(count),
    value: orNull(price),
    fee_properties: fc.record({
      parking_fee_type: orNull(fc.constantFrom(...ParkingFeeType.options)),
      vehicle_count_method: orNull(fc.constantFrom(...VehicleCountMethod.options)),
      prices: fc.dictionary(fc.constantFrom(...PriceDay.options), fc.array(band, { maxLength: 2 }), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
      prices_by_duration: fc.array(duration, { maxLength: 2 }),
    }),
    start_time: orNull(time),
    end_time: orNull(time),
    days: fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 7 }),
    messages: fc.dictionary(fc.constantFrom('en-US', 'es', 'fr-CA'), text, { noNullPrototype: true }),
    start_date: orNull(day),
    end_date: orNull(day),
  })
  .map((fields) => PolicyFields.parse(fields))
