import type { Fees } from '#contract/fees.ts'
import { formatTotal } from '../fee-days/fee-lines.ts'
import type { FeeQuestion, FeeSource } from '../fee-source.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { AppliedCharge } from '#contract/charges.ts'
import { makeChargeLines } from './charge-lines.ts'
import { findApplied } from './charge-store.ts'
import type { Store } from '#server/stores/state.ts'

export function withCharges<F extends Pick<Fees, 'currency' | 'start_date' | 'end_date' | 'lines' | 'total'>>(
  fees: F,
  charges: readonly AppliedCharge[],
): F {
  if (!charges.length) return fees
  const { currency, start_date, end_date } = fees
  const terms = { currency, period: { start_date, end_date } }
  const lines = [...fees.lines, ...makeChargeLines(fees.lines, charges, terms)]
  return { ...fees, lines, total: formatTotal(lines, currency) }
}

/** Reads the fees that a question asks for, with charges, as they appear on an invoice. */
export async function readFees(
  { store, fees: source, scope }: { store: Store; fees: Pick<FeeSource, 'fees'>; scope: Scope },
  question: FeeQuestion,
  isDraft = true,
): Promise<{ fees: Fees; charges: AppliedCharge[] }> {
  const fees = await source.fees(scope, question)
  const { regionId, operator, period } = question
  const { currency } = fees
  const charges = await findApplied(store, { regionId, operator, currency, period, isDraft })
  return { fees: withCharges(fees, charges), charges }
}
