import { z } from 'zod'
import { civilClock } from './civil-clock.ts'
import { MdsRule } from './mds-policy.ts'
import { VehicleType } from './mobility.ts'
import { maxAmount } from './money.ts'
import { optionalNameSchema, removeInvisible } from './names.ts'
import { dayNumber, LocalDay, Weekday } from './period.ts'
import { VehicleState } from './vehicle-states.ts'

// Enumerations of the fields of policies; the policy types are in policy-types/list.ts.
export const timeUnits = ['days', 'hours', 'minutes'] as const
export const speedUnits = ['mph', 'kph'] as const
export const PolicyUnit = z.enum([...timeUnits, ...speedUnits])
export type PolicyUnit = z.infer<typeof PolicyUnit>
export const Allocation = z.enum([
  'vehicles_per_operator_per_shape',
  'percent_vehicles_per_operator_per_shape',
])
export type Allocation = z.infer<typeof Allocation>
/** max: per minute; sae_max: hourly; avg, daytime_avg (docs/metrics.md, Fleet size). */
export const VehicleCountMethod = z.enum(['max', 'sae_max', 'avg', 'daytime_avg'])
export type VehicleCountMethod = z.infer<typeof VehicleCountMethod>
export const ParkingFeeType = z.enum([
  'fixed_price_per_event',
  'variable_price_schedule',
  'variable_price_parking_duration',
])
export type ParkingFeeType = z.infer<typeof ParkingFeeType>
export const PolicyStatus = z.enum(['published', 'saved', 'expired'])
export type PolicyStatus = z.infer<typeof PolicyStatus>
export const policyGroups = ['vehicle', 'trip', 'parking', 'none'] as const
export type PolicyGroup = (typeof policyGroups)[number]
/** States of each group of vehicle states; null means all. */
export const vehicleStateGroups = {
  all: null,
  operational: ['available', 'reserved', 'on_trip'],
  non_operational: ['non_operational'],
} as const satisfies Record<string, readonly VehicleState[] | null>
export type VehicleStateGroup = keyof typeof vehicleStateGroups
/** Keys of a price table: a single day, Monday to Friday, or every day. The most specific table applies. */
export const PriceDay = z.enum([
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'weekday',
  'all',
])
export type PriceDay = z.infer<typeof PriceDay>
export const propulsionTypes = [
  'human',
  'electric_assist',
  'electric',
  'combustion',
  'combustion_diesel',
  'hybrid',
  'hydrogen_fuel_cell',
  'plug_in_hybrid',
] as const
export const PropulsionType = z.enum(propulsionTypes)
export type PropulsionType = z.infer<typeof PropulsionType>
/** Value of `shape_layer_uuid` for the whole region. */
export const citywide = 'citywide'

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, 'A time of day is written HH:MM:SS')
const Price = z.number().min(0).max(1_000_000)
const makeTextSchema = (maxLength: number) => z.string().trim().max(maxLength)

/** Price per hour between two times of day. A null time is midnight, at the start or end of the day. */
export const PriceBand = z.object({
  start_time: ClockTime.nullable(),
  end_time: ClockTime.nullable(),
  price: Price.nullable(),
})
export type PriceBand = z.infer<typeof PriceBand>
/** Price of a parking event of `start_duration` to `end_duration` minutes; a null end means or longer. */
export const PriceByDuration = z.object({
  start_duration: z.number().int().min(0),
  end_duration: z.number().int().min(1).nullable(),
  price: Price.nullable(),
})
export type PriceByDuration = z.infer<typeof PriceByDuration>

/** Period of a vehicle fee: each local day, or the mean fleet of a month or year. */
export const pricePeriods = ['day', 'month', 'year'] as const
/** Quantity to which the price of a tier applies: the part above its start, or the entire quantity. */
export const tierModes = ['marginal', 'whole'] as const
/**
 * How prices by duration are charged. `marginal`: the time in each band at its price per hour. `flat`: once
 * the price of the band that is reached. `retroactive`: the entire time at the price per hour of that band.
 */
export const durationModes = ['marginal', 'flat', 'retroactive'] as const

/** Options of fees in addition to the specification. Amounts and quantities are per invoice period. */
export const FeeOptions = z.object({
  /** Only for vehicle fees. */
  price_period: z.enum(pricePeriods).default('day'),
  /** Number of vehicles or trips that are free before the price applies. */
  free_quantity: z.number().min(0).max(maxAmount).default(0),
  /** Prices by quantity, instead of the single price of vehicle and trip fees. */
  tiers: z
    .array(z.object({ from: z.number().min(0).max(maxAmount), price: Price }))
    .max(50)
    .default([]),
  tier_mode: z.enum(tierModes).default('marginal'),
  /** Vehicle types of the policy that are free. */
  exempt_vehicle_types: z.array(VehicleType).default([]),
  /** Seconds; shorter trips are free. */
  minimum_trip_duration: z.number().min(0).max(86_400).default(0),
  /** Meters; trips over a shorter distance are free. */
  minimum_trip_distance: z.number().min(0).max(100_000).default(0),
  /** For prices by duration. */
  duration_mode: z.enum(durationModes).default('marginal'),
  /** For prices by duration: whether time after the last band is free. */
  is_free_after: z.boolean().default(false),
  /** Maximum amount for the parking events of one vehicle that begin on one local day. */
  maximum_per_vehicle_day: Price.nullable().default(null),
  /**
   * Equity discount in percent, with at most 4 decimals, for trips that start in some shapes of a layer and
   * parking events in them. The version of a shape at the time of the trip or event counts.
   */
  discount_percent: z.number().min(0).max(100).default(0),
  discount_layer_uuid: z.uuid().nullable().default(null),
  discount_shape_uuids: z.array(z.uuid()).max(500).default([]),
  minimum_amount: z.number().min(0).max(maxAmount).nullable().default(null),
  maximum_amount: z.number().min(0).max(maxAmount).nullable().default(null),
})
export type FeeOptions = z.infer<typeof FeeOptions>

export const FeeProperties = z.object({
  parking_fee_type: ParkingFeeType.nullable().default(null),
  vehicle_count_method: VehicleCountMethod.nullable().default(null),
  prices: z.partialRecord(PriceDay, z.array(PriceBand).max(96)).default({}),
  prices_by_duration: z.array(PriceByDuration).max(96).default([]),
  options: FeeOptions.default(() => FeeOptions.parse({})),
})
export type FeeProperties = z.infer<typeof FeeProperties>

/** An imported policy that matches none of our types: its MDS 2.0 rules, and the shapes created for it. */
export const ImportedMds = z.object({
  rules: z.array(MdsRule),
  /** ISO 4217; rates are in its minor units. */
  currency: z.string(),
  /** As received; empty: all. */
  provider_ids: z.array(z.string()),
  places: z.array(z.object({ geography_id: z.string(), name: z.string(), shape_uuids: z.array(z.uuid()) })),
})
export type ImportedMds = z.infer<typeof ImportedMds>

/** The editable fields of a policy. Empty lists of operators, types, days and shapes mean all. */
export const PolicyFields = z.object({
  /** A name from policy-types/list.ts; imported policies may have another, shown as unknown. */
  policy_type: z.string().max(60).default(''),
  policy_name: optionalNameSchema(255).default(''),
  description: makeTextSchema(4000).nullable().default(null),
  /** A layer, or `citywide`; null for types that apply to the entire region, and while none is chosen. */
  shape_layer_uuid: z
    .union([z.uuid(), z.literal(citywide)])
    .nullable()
    .default(null),
  shape_uuids: z.array(z.uuid()).max(5000).default([]),
  unit: PolicyUnit.nullable().default(null),
  allocation: Allocation.nullable().default(null),
  operators: z.array(z.string().max(60)).max(200).default([]),
  vehicle_types: z.array(VehicleType).default([]),
  vehicle_states: z.array(VehicleState).min(1).nullable().default(null),
  propulsion_types: z.array(PropulsionType).default([]),
  minimum: z.number().nullable().default(null),
  maximum: z.number().nullable().default(null),
  /** Money in major units of the region's currency. */
  value: Price.nullable().default(null),
  fee_properties: FeeProperties.default(() => FeeProperties.parse({})),
  /** Null is midnight, at the start or end of the day. A start after the end runs overnight. */
  start_time: ClockTime.nullable().default(null),
  end_time: ClockTime.nullable().default(null),
  /** ISO weekdays on which the time window starts. */
  days: z.array(Weekday).max(7).default([]),
  /** Rider messages by locale (BCP 47). */
  messages: z
    .record(
      z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'A locale is written like en-US'),
      makeTextSchema(1000),
    )
    .default({}),
  /** Local days of the region, both included; null means no start or no end. */
  start_date: LocalDay.nullable().default(null),
  end_date: LocalDay.nullable().default(null),
  agency_name: makeTextSchema(255).nullable().default(null),
  policy_category: makeTextSchema(60).default('mobility'),
  imported_source: makeTextSchema(2000).nullable().default(null),
  /** Id of the policy at that source. */
  imported_policy_id: makeTextSchema(255).nullable().default(null),
  /** For a policy of an unknown type; not editable. */
  imported_mds: ImportedMds.nullable().default(null),
  priority: z.number().int().nullable().default(null),
  /** Minutes that a vehicle must be away from the curb zones of the policy before it comes back. */
  curb_metadata: z.object({ away_time: z.number().nullable() }).nullable().default(null),
})
export type PolicyFields = z.infer<typeof PolicyFields>

/** A revision of a policy, with the field names of the specification. */
export const Policy = PolicyFields.extend({
  /** Id of this revision. */
  policy_uuid: z.uuid(),
  /** Id of the policy, shared by all revisions. */
  constant_policy_uuid: z.uuid(),
  region_id: z.string(),
  published: z.boolean(),
  published_time: z.string().nullable(),
  created_by_email: z.string().nullable(),
  created_time: z.string(),
  modified_time: z.string(),
  modified_by_email: z.string().nullable(),
  /** Status on the region's local day of the request. */
  status: PolicyStatus,
}).meta({ id: 'Policy' })
export type Policy = z.infer<typeof Policy>

/** Returns `expired` if the end date has passed; otherwise `published` if it is set; otherwise `saved`. */
export const getPolicyStatus = (
  { end_date: end, published }: Pick<Policy, 'end_date' | 'published'>,
  today: LocalDay,
): PolicyStatus => (end !== null && end < today ? 'expired' : published ? 'published' : 'saved')

/** Time that operators have to read a publication before it takes effect (MDS Policy: start_date). */
export const noticeMs = 20 * 60_000

/** Returns when a policy takes effect (ms since 1970): at midnight of its first day, after the notice. */
export function effectiveFrom(
  { start_date: first }: Pick<PolicyFields, 'start_date'>,
  publishedMs: number,
  zone: string,
): number {
  const earliest = publishedMs + noticeMs
  return first === null ? earliest : Math.max(earliest, civilClock(zone).instant(dayNumber(first), 0).ms)
}

/** Returns a new policy with defaults only. */
export const emptyPolicy = (): PolicyFields => PolicyFields.parse({})

/** Returns the fields of a copy, without ids and publication. */
export const copyPolicy = (policy: PolicyFields): PolicyFields => ({
  ...PolicyFields.parse({ ...policy, policy_name: '' }),
  policy_name: `${removeInvisible(policy.policy_name).slice(0, 255 - ' (copy)'.length)} (copy)`,
  imported_source: null,
  imported_policy_id: null,
})
