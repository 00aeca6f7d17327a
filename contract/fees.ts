import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LineRate } from './line-rates.ts'
import { VehicleType } from './mobility.ts'
import { pageSchema, pageQuery } from './page.ts'
import { dayNumber, LocalDay } from './period.ts'
import { PolicyFields } from './policy.ts'

/** An exact decimal number as text, such as `29353.07`. */
export const DecimalText = z.string().regex(/^-?\d+(\.\d+)?$/, 'is not a decimal number')

/**
 * A fee: the part of a policy revision that is charged at one price. `amount` is rounded once, half up, to
 * the minor unit of the currency; sums of fees are sums of their amounts.
 */
export const FeeLine = z
  .object({
    /** The revision of the policy; null for charges that are not from a policy. */
    policy_uuid: z.uuid().nullable(),
    constant_policy_uuid: z.uuid().nullable(),
    /** The charge that the line belongs to, if it is not from a policy. */
    charge_id: z.uuid().nullable().optional(),
    /** Tax rate of the charge; without one, that of the billing settings applies. */
    tax_code: z.string().nullable().optional(),
    /** Revenue account of the charge; without one, that of the billing settings applies. */
    account_code: z.string().nullable().optional(),
    policy_name: z.string(),
    policy_type: z.string().nullable(),
    description: z.string(),
    /** First and last local day on which the revision was charged. */
    start_date: LocalDay,
    end_date: LocalDay,
    /** At most nine digits are shown; the amount is computed with all of them. */
    quantity: DecimalText,
    unit: z.string(),
    unit_price: DecimalText.nullable(),
    /** Times at which a parking fee has this price; absent on invoices of earlier versions. */
    rates: z.array(LineRate).optional(),
    amount: DecimalText,
    /** Days within start_date and end_date without data of the operator. */
    days_without_data: z.array(LocalDay),
  })
  .meta({ id: 'FeeLine' })
export type FeeLine = z.infer<typeof FeeLine>

/** A rate of an imported MDS policy that is not charged because the result would not be exact. */
export const UnchargedRate = z
  .object({
    policy_uuid: z.uuid(),
    policy_name: z.string(),
    rule_id: z.string(),
    rule_name: z.string(),
    /** A code of `rateFaultTexts`. */
    fault: z.string(),
    /** The text of the code. */
    reason: z.string(),
  })
  .meta({ id: 'UnchargedRate' })
export type UnchargedRate = z.infer<typeof UnchargedRate>

/** Fees of one payer and period. */
export const Fees = z
  .object({
    /** Slug of the operator. */
    operator: z.string(),
    start_date: LocalDay,
    end_date: LocalDay,
    currency: z.string(),
    lines: z.array(FeeLine),
    total: DecimalText,
    /** Incremented when a change of the engine changes results. */
    method_version: z.number().int(),
    /** Time of the newest derivation that the fees depend on; null: some days are not derived yet. */
    as_of: z.iso.datetime().nullable(),
    /** Rates of imported policies in the period that are not charged. */
    not_charged: z.array(UnchargedRate).optional(),
  })
  .meta({ id: 'Fees' })
export type Fees = z.infer<typeof Fees>

/** Maximum number of days per request. */
export const maxFeeDays = 5 * 366

const regionParams = z.object({ region_id: z.string() })
const days = { start_date: LocalDay, end_date: LocalDay }
const isValidPeriod = ({
  start_date: start,
  end_date: end,
}: {
  start_date: LocalDay
  end_date: LocalDay
}): boolean => start <= end && dayNumber(end) - dayNumber(start) < maxFeeDays
const periodError = {
  path: ['end_date'],
  message: 'A period has one day to five years, and ends after it starts',
}
const operators = z.array(z.string()).max(200).default([])

/**
 * Fees of a policy, operator and calendar month. Invoiced, paid and open amounts include taxes and are
 * reduced by credit notes. They count in the month in which their line begins, so an adjustment counts in the
 * month that it corrects.
 */
export const MonthFees = z
  .object({
    /** First day of the month. */
    month: LocalDay,
    operator: z.string(),
    constant_policy_uuid: z.uuid().nullable(),
    policy_name: z.string(),
    policy_type: z.string().nullable(),
    /** Currency of the region, or of invoices before it changed. */
    currency: z.string(),
    /** Sum of the lines that an invoice of the month would have, without taxes. */
    accrued: DecimalText,
    invoiced: DecimalText,
    /** Payments, in proportion to the lines of their invoice. */
    paid: DecimalText,
    /** Invoiced and not paid; below 0: overpaid. */
    open: DecimalText,
  })
  .meta({ id: 'MonthFees' })
export type MonthFees = z.infer<typeof MonthFees>

const derivationState = {
  currency: z.string(),
  /** Time of the newest derivation; null: nothing is derived yet. */
  as_of: z.iso.datetime().nullable(),
  /** Days of the period with missing or outdated amounts. They are derived ten minutes after late data. */
  pending_days: z.number().int(),
}

export const getFeeSummary = endpoint({
  route: 'GET /regions/{region_id}/fees/summary',
  permission: 'signed_in',
  summary: 'Fees by month, operator and policy or charge: accrued, invoiced, paid and open',
  request: { params: regionParams, query: z.object(days).refine(isValidPeriod, periodError) },
  response: z.object({
    months: z.array(MonthFees),
    ...derivationState,
    /** The current month, if the period includes it; otherwise null. */
    unfinished_month: LocalDay.nullable(),
  }),
})

export const getFees = endpoint({
  route: 'GET /regions/{region_id}/fees',
  permission: 'signed_in',
  summary: 'The lines of fees of an operator in a period, as an invoice has them',
  request: {
    params: regionParams,
    query: z.object({ operator: z.string(), ...days }).refine(isValidPeriod, periodError),
  },
  response: Fees,
})

/**
 * Expected fees of an operator in the current month, if the remaining days are like the same weekdays of the
 * past four weeks. `low` and `high` use the lowest and highest of those weeks.
 */
export const FeeForecast = z
  .object({
    operator: z.string(),
    accrued: DecimalText,
    expected: DecimalText,
    low: DecimalText,
    high: DecimalText,
  })
  .meta({ id: 'FeeForecast' })
export type FeeForecast = z.infer<typeof FeeForecast>

export const forecastFees = endpoint({
  route: 'GET /regions/{region_id}/fees/forecast',
  permission: 'signed_in',
  summary: 'Fees of this month so far and until its end: of all fee policies and charges, or of one policy',
  request: { params: regionParams, query: z.object({ constant_policy_uuid: z.uuid().optional() }) },
  response: z.object({
    month: LocalDay,
    today: LocalDay,
    operators: z.array(FeeForecast),
    ...derivationState,
  }),
})

export const tryFees = endpoint({
  route: 'POST /regions/{region_id}/fees/try',
  cost: 'heavy',
  permission: 'signed_in',
  reads: true,
  summary: 'What a fee policy would have cost in past months, saved or not, on its shapes as they are now',
  request: {
    params: regionParams,
    body: z.object({ policy: PolicyFields, operators, ...days }).refine(isValidPeriod, periodError),
  },
  response: z.object({
    currency: z.string(),
    /** By month and operator; the first and last month may be incomplete. */
    months: z.array(z.object({ ...days, operator: z.string(), lines: z.array(FeeLine), total: DecimalText })),
    took_ms: z.number(),
  }),
})

/** A charged fact: a trip, parking event, vehicle-day, or match of a vehicle with an MDS rate. */
export const FeeFact = z
  .object({
    kind: z.enum(['trip', 'parking_event', 'vehicle_day', 'rate_match']),
    fact_id: z.string(),
    operator: z.string(),
    vehicle_id: z.string(),
    vehicle_type: z.string(),
    day: LocalDay,
    start_time: z.iso.datetime().nullable(),
    end_time: z.iso.datetime().nullable(),
    lon: z.number().nullable(),
    lat: z.number().nullable(),
    /** Quantities by price; null: the price of the invoice line. */
    shares: z.array(
      z.object({ quantity: DecimalText, unit: z.string(), unit_price: DecimalText.nullable() }),
    ),
  })
  .meta({ id: 'FeeFact' })
export type FeeFact = z.infer<typeof FeeFact>

/** Single facts are visible to users who may edit policies, and to an operator for its own vehicles. */
export const listFeeFacts = endpoint({
  route: 'GET /regions/{region_id}/fees/facts',
  cost: 'heavy',
  permission: 'signed_in',
  personal: true,
  summary:
    'The trips, parking events or vehicle-days behind the fees of a revision of a policy, in order of time',
  request: {
    params: regionParams,
    query: z
      .object({
        policy_uuid: z.uuid(),
        operator: z.string(),
        /** Only facts of one vehicle type, as on a line of that type. */
        vehicle_type: VehicleType.optional(),
        ...days,
        ...pageQuery(50),
      })
      .refine(isValidPeriod, periodError),
  },
  response: pageSchema(FeeFact),
})
