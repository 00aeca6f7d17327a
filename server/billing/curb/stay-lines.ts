import type { FeeLine } from '#contract/fees.ts'
import { currencyDigits } from '#contract/money.ts'
import type { LocalDay } from '#contract/period.ts'
import { minorText } from '../rational.ts'

/** Counts up when the charging of stays changes its numbers. */
export const curbMethodVersion = 1
/** Of lines of stays, in place of the type of a policy: tax rates and accounts of revenue are set for it. */
export const curbPolicyType = 'curb_stays'
/** In place of the revision of a policy among facts. */
export const noPolicyId = '00000000-0000-0000-0000-000000000000'

/** Stays under the same rules of a zone. `text`: what lines say. */
export interface StaySum {
  text: string
  stays: number
  /** Minor units: rates of CDS are rounded for each stay. */
  amount: bigint
}

/** The lines of stays, in the order of their texts. */
export const stayLines = (
  sums: readonly StaySum[],
  { currency, period }: { currency: string; period: { start_date: LocalDay; end_date: LocalDay } },
): FeeLine[] =>
  sums
    .toSorted((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ text, stays, amount }) => ({
      policy_uuid: null,
      constant_policy_uuid: null,
      policy_name: text,
      policy_type: curbPolicyType,
      description: text,
      ...period,
      quantity: String(stays),
      unit: 'stays',
      unit_price: null,
      amount: minorText(amount, currencyDigits(currency)),
      days_without_data: [],
    }))
