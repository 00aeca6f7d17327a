import { z } from 'zod'
import { LocalDay } from './period.ts'

/** An exact decimal number as text, such as `29353.07`. */
export const DecimalText = z.string().regex(/^-?\d+(\.\d+)?$/, 'is not a decimal number')

/**
 * A fee: what of one revision of a policy is charged at one price. `amount` is rounded once, half up, to the minor unit of the
 * currency; sums of fees are sums of their amounts.
 */
export const FeeLine = z
  .object({
    /** The revision; null for charges that are not from a policy. */
    policy_uuid: z.uuid().nullable(),
    constant_policy_uuid: z.uuid().nullable(),
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
    amount: DecimalText,
    /** Days within start_date and end_date without data of the operator. */
    days_without_data: z.array(LocalDay),
  })
  .meta({ id: 'FeeLine' })
export type FeeLine = z.infer<typeof FeeLine>

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
    /** Counts up when the engine changes its numbers. */
    method_version: z.number().int(),
    /** Time of the newest derivation that the fees depend on; null: some days are being prepared. */
    as_of: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Fees' })
export type Fees = z.infer<typeof Fees>
