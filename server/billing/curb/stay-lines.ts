import type { FeeLine } from '#contract/fees.ts'
import { currencyDigits } from '#contract/money.ts'
import type { LocalDay } from '#contract/period.ts'
import { formatMinor } from '../rational.ts'

/** Incremented whenever a change of the code changes the fees of stays. */
export const curbMethodVersion = 1
/** The policy type of lines of stays. Tax rates and revenue accounts are configured for it. */
export const curbPolicyType = 'curb_stays'
/** The policy id of facts of stays, which have no policy. */
export const noPolicyId = '00000000-0000-0000-0000-000000000000'

/** Stays under the same rules of a zone. */
export interface StaySum {
  /** The description of their line. */
  description: string
  stays: number
  /** In minor units, because CDS rates are rounded for each stay. */
  amount: bigint
}

/** Returns the lines of stays, ordered by description. */
export const makeStayLines = (
  sums: readonly StaySum[],
  { currency, period }: { currency: string; period: { start_date: LocalDay; end_date: LocalDay } },
): FeeLine[] =>
  sums
    .toSorted((a, b) => (a.description < b.description ? -1 : 1))
    .map(({ description, stays, amount }) => ({
      policy_uuid: null,
      constant_policy_uuid: null,
      policy_name: description,
      policy_type: curbPolicyType,
      description,
      ...period,
      quantity: String(stays),
      unit: 'stays',
      unit_price: null,
      amount: formatMinor(amount, currencyDigits(currency)),
      days_without_data: [],
    }))
