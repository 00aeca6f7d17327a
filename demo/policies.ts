import { citywide, emptyPolicy, FeeProperties, type PolicyFields } from '#contract/policy.ts'

/** A policy of the demo city: where it applies, when it was published, and its next revision. */
export interface DemoPolicy {
  fields: Partial<PolicyFields>
  /** A layer and names of its shapes (empty: all); null: the policy applies to the entire region. */
  where: { layer: string; shapes: readonly string[] } | null
  /** Number of days before the first run at which it was published; null: a draft. */
  daysAgo: number | null
  nextRevision?: { fields: Partial<PolicyFields>; daysAgo: number | null }
}

const countMethod = (vehicle_count_method: 'max' | 'avg'): Partial<PolicyFields> => ({
  fee_properties: { ...emptyPolicy().fee_properties, vehicle_count_method },
})
const makeFeeProperties = (fields: object): Pick<PolicyFields, 'fee_properties'> => ({
  fee_properties: FeeProperties.parse(fields),
})
const workdays = [1, 2, 3, 4, 5]

/** The policies of Port Meridian. Operators comply with some and violate others. */
export const demoPolicies: readonly DemoPolicy[] = [
  {
    fields: {
      policy_type: 'vehicle_cap',
      policy_name: 'Fleet size per operator',
      description: 'The maximum number of vehicles that an operator may have on the street at any time.',
      maximum: 1400,
      ...countMethod('max'),
    },
    where: null,
    daysAgo: 330,
    nextRevision: { fields: { maximum: 1150 }, daysAgo: 45 },
  },
  {
    fields: {
      policy_type: 'distribution',
      policy_name: 'Vehicles for Southfield and Eastshore',
      description: 'A share of each fleet must be in the districts with the fewest buses.',
      allocation: 'percent_vehicles_per_operator_per_shape',
      minimum: 6,
      start_time: '06:00:00',
      end_time: '10:00:00',
      days: workdays,
    },
    where: { layer: 'Districts', shapes: ['Southfield', 'Eastshore'] },
    daysAgo: 240,
  },
  {
    fields: {
      policy_type: 'utilization',
      policy_name: 'Trips per vehicle',
      description: 'Vehicles that are rarely used take up space on the sidewalk.',
      minimum: 2,
    },
    where: null,
    daysAgo: 240,
  },
  {
    fields: {
      policy_type: 'no_parking',
      policy_name: 'No parking in the Old Port by night',
      description: 'The quays are swept between 11 pm and 5 am.',
      start_time: '23:00:00',
      end_time: '05:00:00',
      messages: { 'en-US': 'Please do not park in the Old Port between 11 pm and 5 am.' },
    },
    where: { layer: 'Districts', shapes: ['Old Port'] },
    daysAgo: 200,
  },
  {
    fields: {
      policy_type: 'parking_time_limit',
      policy_name: 'Two days at one place',
      description: 'Vehicles that are not used for two days must be moved or removed.',
      maximum: 44,
      unit: 'hours',
    },
    where: { layer: citywide, shapes: [] },
    daysAgo: 200,
  },
  {
    fields: {
      policy_type: 'no_ride',
      policy_name: 'Quiet nights in Harborside',
      start_time: '01:00:00',
      end_time: '05:00:00',
      messages: { 'en-US': 'Riding here is not allowed between 1 am and 5 am.' },
    },
    where: { layer: 'Districts', shapes: ['Harborside'] },
    daysAgo: 120,
  },
  {
    fields: {
      policy_type: 'slow_ride',
      policy_name: 'Slow in Midtown',
      maximum: 12,
      unit: 'mph',
      messages: { 'en-US': 'Slow zone: at most 12 mph.' },
    },
    where: { layer: 'Districts', shapes: ['Midtown'] },
    daysAgo: 60,
  },
  {
    fields: {
      policy_type: 'operator_drop_offs',
      policy_name: 'Morning drop-offs in Westgate',
      minimum: 3,
      start_time: '05:00:00',
      end_time: '09:00:00',
      days: workdays,
    },
    where: { layer: 'Districts', shapes: ['Westgate'] },
    daysAgo: 90,
  },
  {
    fields: {
      policy_type: 'vehicle_fees',
      policy_name: 'Vehicle fee',
      description: 'Each operator pays for its mean number of vehicles on the street, day by day.',
      value: 0.35,
      ...makeFeeProperties({ vehicle_count_method: 'avg' }),
    },
    where: null,
    daysAgo: 364,
  },
  {
    fields: {
      policy_type: 'trip_fees',
      policy_name: 'Trip fee',
      description: 'Trips of less than a minute are free: most of them are false starts.',
      value: 0.15,
      ...makeFeeProperties({ options: { minimum_trip_duration: 60 } }),
    },
    where: null,
    daysAgo: 364,
  },
  {
    fields: {
      policy_type: 'parking_fees',
      policy_name: 'Parking in Midtown',
      description: 'Higher during the day, lower at night, lowest on weekends.',
      ...makeFeeProperties({
        parking_fee_type: 'variable_price_schedule',
        prices: {
          weekday: [
            { start_time: '07:00:00', end_time: '19:00:00', price: 0.12 },
            { start_time: '19:00:00', end_time: null, price: 0.04 },
          ],
          all: [{ start_time: null, end_time: null, price: 0.03 }],
        },
      }),
    },
    where: { layer: 'Districts', shapes: ['Midtown'] },
    daysAgo: 364,
  },
  {
    fields: {
      policy_type: 'parking_fees',
      policy_name: 'Long stays in the Old Port',
      description: 'The first two hours are free; the price rises after a day.',
      ...makeFeeProperties({
        parking_fee_type: 'variable_price_parking_duration',
        prices_by_duration: [
          { start_duration: 0, end_duration: 120, price: 0 },
          { start_duration: 120, end_duration: 1440, price: 0.02 },
          { start_duration: 1440, end_duration: null, price: 0.05 },
        ],
      }),
    },
    where: { layer: 'Districts', shapes: ['Old Port'] },
    daysAgo: 364,
  },
  {
    fields: {
      policy_type: 'no_parking',
      policy_name: 'Festival on the waterfront',
      description: 'A draft, to test against last month.',
    },
    where: { layer: 'Districts', shapes: ['Harborside', 'Old Port'] },
    daysAgo: null,
  },
]
