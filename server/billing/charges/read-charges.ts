import { type AppliedCharge, ChargeFields } from '#contract/charges.ts'
import { startOfMonth } from '#contract/period.ts'
import type { Store } from '#server/stores/state.ts'
import type { ChargeTerms } from './charge-lines.ts'
import { makeFieldProblem, selectCharges } from './charge-store.ts'

/** The charges of all payers within a period. */
export interface PeriodCharges {
  /** Operators with charges for them alone. */
  operators: string[]
  /** The charges that apply to a payer on some days of the period, with their reported quantities. */
  getAppliedCharges: (payer: string, days: ChargeTerms['period']) => AppliedCharge[]
}

/** Which charges to read: those in effect on some day of a period. */
interface ChargeSelection extends ChargeTerms {
  regionId: string
  /** Whether it is for a draft: then a charge in another currency is an error, otherwise left out. */
  isDraft: boolean
  /** The payer; by default all payers. Charges without an operator are always included. */
  operator?: string
}

/** Reads the charges of a period with their reported quantities. */
export async function readCharges(
  store: Store,
  { regionId, currency, period, isDraft, operator }: ChargeSelection,
): Promise<PeriodCharges> {
  const { start_date: firstDay, end_date: lastDay } = period
  let query = selectCharges(store, regionId)
    .where('start_date', '<=', lastDay)
    .where((where) => where.or([where('end_date', 'is', null), where('end_date', '>=', firstDay)]))
  if (operator !== undefined)
    query = query.where((where) =>
      where.or([where('operator', 'is', null), where('operator', '=', operator)]),
    )
  const rows = await query.execute()
  if (!rows.length) return { operators: [], getAppliedCharges: () => [] }
  let quantityQuery = store
    .selectFrom('billing_quantity')
    .select(['operator', 'quantity', 'month', 'value', 'is_estimate'])
    .where('region_id', '=', regionId)
    .where('month', '>=', startOfMonth(firstDay))
    .where('month', '<=', lastDay)
    .orderBy('month')
  if (operator !== undefined) quantityQuery = quantityQuery.where('operator', '=', operator)
  const reportedQuantities = await quantityQuery.execute()
  const charges = rows.flatMap((row) => {
    const charge = ChargeFields.parse(row.fields)
    if (row.currency !== currency && !isDraft) return []
    if (row.currency !== currency)
      throw makeFieldProblem(
        'currency',
        `The charge “${charge.name}” is in ${row.currency}, but the region has ${currency}. End it, and add one in ${currency}.`,
      )
    return [{ ...charge, charge_id: row.charge_id, currency: row.currency }]
  })
  return {
    operators: [...new Set(charges.flatMap((charge) => charge.operator ?? []))],
    getAppliedCharges: (payer, { start_date: start, end_date: end }) =>
      charges
        .filter(
          (charge) =>
            (charge.operator === null || charge.operator === payer) &&
            charge.start_date <= end &&
            (charge.end_date === null || charge.end_date >= start),
        )
        .map((charge) => ({
          ...charge,
          quantities: reportedQuantities
            .filter(
              ({ operator: reporter, quantity, month }) =>
                reporter === payer &&
                quantity === charge.quantity &&
                month >= startOfMonth(start) &&
                month <= end,
            )
            .map(({ month, value, is_estimate }) => ({ month, value, is_estimate })),
        })),
  }
}

/** Finds a payer's charges with quantities. Those without an operator apply to all but curb accounts. */
export async function findAppliedCharges(
  store: Store,
  selection: ChargeSelection & { operator: string },
): Promise<AppliedCharge[]> {
  const { regionId, operator, period } = selection
  const account = await store
    .selectFrom('curb_account')
    .select('account_id')
    .where('region_id', '=', regionId)
    .where('account_id', '=', operator)
    .executeTakeFirst()
  return (await readCharges(store, selection))
    .getAppliedCharges(operator, period)
    .filter((charge) => charge.operator !== null || account === undefined)
}
