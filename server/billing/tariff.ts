import { z } from 'zod'
import { maxAmount, maxAmountDecimals } from '#contract/money.ts'
import { LocalDay } from '#contract/period.ts'
import { durationModes, PriceDay, pricePeriods, tierModes, VehicleCountMethod } from '#contract/policy.ts'
import { Rational } from './rational.ts'

const exactMaxAmount = Rational.of(maxAmount)

/** An exact decimal number, given as a number or, with many digits, as a string. */
const Exact = z.union([z.number(), z.string()]).transform((value, context) => {
  try {
    const exact = Rational.of(value)
    if (exact.compare(Rational.of(exact.text(maxAmountDecimals))) !== 0)
      context.addIssue(`has more than ${maxAmountDecimals} decimals`)
    if (exact.compare(exactMaxAmount) > 0) context.addIssue(`is above ${maxAmount.toLocaleString('en-US')}`)
    return exact
  } catch {
    context.addIssue(`is not a decimal number: ${value}`)
    return z.NEVER
  }
})
const zero = new Rational(0n)
const Amount = Exact.refine((value) => value.compare(zero) >= 0, 'is negative')
const Clock = z.string().regex(/^([01]\d|2[0-4]):[0-5]\d(:[0-5]\d)?$/, 'is not written HH:MM or HH:MM:SS')

/** Fields of every part of a tariff. */
const commonFields = {
  /** Identifies the facts of the part, such as the id of a policy revision. */
  id: z.string().max(100).optional(),
  name: z.string().trim().min(1).max(200),
  /** First and last local day on which it applies; null for no limit. */
  start_date: LocalDay.nullable().default(null),
  end_date: LocalDay.nullable().default(null),
  /** Minimum and maximum amount of the part in a period. The difference becomes a separate line. */
  minimum: Amount.nullable().default(null),
  maximum: Amount.nullable().default(null),
}
/** Vehicle types to which a part applies (empty: all), and does not apply (empty: none). */
const typeFields = {
  vehicle_types: z.array(z.string()).max(50).default([]),
  exempt_vehicle_types: z.array(z.string()).max(50).default([]),
}
/** A trip or parking event must be in one of these areas; empty: anywhere. */
const areaFields = { areas: z.array(z.string()).max(1000).default([]) }
/**
 * Prices by quantity. `tiers` replace `price` from the quantity `from` on; in the mode `marginal` for the
 * quantity above it, in the mode `whole` for all of it. The first `free` units cost nothing.
 */
const priceFields = {
  price: Exact.nullable().default(null),
  /** If true, the price is subtracted. */
  is_discount: z.boolean().default(false),
  free: Amount.default(zero),
  tiers: z
    .array(z.object({ from: Amount, price: Amount }))
    .max(50)
    .default([])
    .refine(
      (tiers) => tiers.every(({ from }, index) => index === 0 || from.compare(tiers[index - 1]!.from) > 0),
      'do not rise',
    ),
  tier_mode: z.enum(tierModes).default('marginal'),
}

/** Trips that start in the areas, and parking events in them, cost `percent` less. */
const discountFields = {
  discount: z
    .object({ percent: Amount, areas: z.array(z.string()).max(1000) })
    .refine(({ percent }) => percent.compare(Rational.of(100)) <= 0, 'is above 100 percent')
    .nullable()
    .default(null),
}

/** A price for minutes from `start` to `end`; null for no end. */
const Band = z.object({ start: z.number().min(0), end: z.number().positive().nullable(), price: Amount })
export type Band = z.output<typeof Band>

const ScheduleRow = z.object({ start_time: Clock.nullable(), end_time: Clock.nullable(), price: Amount })

/** A part of a tariff, by what it charges. */
export const TariffPart = z.discriminatedUnion('kind', [
  /** The fleet of each local day, by a counting method. Prices per month or year are prorated by day. */
  z.object({
    kind: z.literal('vehicles'),
    ...commonFields,
    ...typeFields,
    ...priceFields,
    method: VehicleCountMethod.default('avg'),
    per: z.enum(pricePeriods).default('day'),
  }),
  /** Trips that start in the period. */
  z.object({
    kind: z.literal('trips'),
    ...commonFields,
    ...typeFields,
    ...areaFields,
    ...priceFields,
    ...discountFields,
    /** Trips below these limits, in seconds and meters, cost nothing. */
    minimum_duration: z.number().min(0).default(0),
    minimum_distance: z.number().min(0).default(0),
  }),
  /** Parking events that begin in the period, including their time after it. */
  z.object({
    kind: z.literal('parking'),
    ...commonFields,
    ...typeFields,
    ...areaFields,
    ...discountFields,
    /** Maximum amount for a vehicle on one local day. */
    maximum_per_vehicle_day: Amount.nullable().default(null),
    structure: z.discriminatedUnion('by', [
      z.object({ by: z.literal('event'), price: Amount }),
      /** Prices per hour of local time, charged exactly. A row that ends before it starts runs overnight. */
      z.object({
        by: z.literal('schedule'),
        prices: z.partialRecord(PriceDay, z.array(ScheduleRow).max(96)),
      }),
      /**
       * `marginal`: each band at its price per hour; `flat`: one price, that of the band reached;
       * `retroactive`: the whole duration at the price per hour of the band reached.
       */
      z.object({
        by: z.literal('duration'),
        bands: z.array(Band).min(1).max(96),
        mode: z.enum(durationModes).default('marginal'),
        free_after: z.boolean().default(false),
      }),
      /** MDS rates: a price for each started or complete unit of local time; `from` counts units from 0. */
      z.object({
        by: z.literal('time_unit'),
        unit: z.enum(['minutes', 'hours', 'days']),
        recurrence: z.enum(['each_time_unit', 'per_complete_time_unit']),
        prices: z
          .array(z.object({ from: z.number().int().min(0), price: Amount }))
          .min(1)
          .max(50),
      }),
    ]),
  }),
  /** A reported quantity, such as devices, feet of curb or cases. */
  z.object({
    kind: z.literal('quantity'),
    ...commonFields,
    ...priceFields,
    quantity: z.string().min(1).max(100),
  }),
  /** A percentage of a reported amount above a limit. */
  z.object({
    kind: z.literal('revenue'),
    ...commonFields,
    quantity: z.string().min(1).max(100),
    percent: Amount,
    above: Amount.default(zero),
  }),
  /** Rates of an MDS policy's rules. A negative `amount` is a subsidy; `key` identifies the rule in facts. */
  z.object({
    kind: z.literal('rates'),
    ...commonFields,
    rates: z
      .array(z.object({ key: z.string(), name: z.string(), unit: z.string(), amount: Exact }))
      .max(2000),
  }),
  /** A fixed amount, such as an application fee. */
  z.object({ kind: z.literal('fixed'), ...commonFields, amount: Amount }),
])
export type TariffPart = z.output<typeof TariffPart>

/** The parts of a tariff, and the minimum and maximum amount of an invoice. */
export const Tariff = z.object({
  name: z.string().trim().max(200).default(''),
  parts: z.array(TariffPart).min(1).max(200),
  minimum: Amount.nullable().default(null),
  maximum: Amount.nullable().default(null),
})
export type Tariff = z.output<typeof Tariff>
