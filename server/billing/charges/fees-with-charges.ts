import type { Fees } from '#contract/fees.ts'
import { formatTotal } from '../fee-days/fee-lines.ts'
import type { FeeQuestion, FeeSource } from '../fee-source.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { AppliedCharge } from '#contract/charges.ts'
import { makeChargeLines } from './charge-lines.ts'
import { findAppliedCharges } from './read-charges.ts'
import type { Store } from '#server/stores/state.ts'

/** Adds the lines of charges to fees, and their amounts to the total. */
export function addCharges<F extends Pick<Fees, 'currency' | 'start_date' | 'end_date' | 'lines' | 'total'>>(
  fees: F,
  charges: readonly AppliedCharge[],
): F {
  if (!charges.length) return fees
  const { currency, start_date, end_date } = fees
  const terms = { currency, period: { start_date, end_date } }
  const lines = [...fees.lines, ...makeChargeLines(fees.lines, charges, terms)]
  return { ...fees, lines, total: formatTotal(lines, currency) }
}

/**
 * Reads the fees that a question asks for, with charges, as they appear on an invoice.
 * @param isDraft Whether a charge in another currency is an error. Otherwise it is left out.
 */
export async function readFees(
  { store, fees: source, scope }: { store: Store; fees: Pick<FeeSource, 'computeFees'>; scope: Scope },
  question: FeeQuestion,
  isDraft = true,
): Promise<{ fees: Fees; charges: AppliedCharge[] }> {
  const fees = await source.computeFees(scope, question)
  const { regionId, operator, period } = question
  const { currency } = fees
  const charges = await findAppliedCharges(store, { regionId, operator, currency, period, isDraft })
  return { fees: addCharges(fees, charges), charges }
}
