import type { EndpointOutput, ParsedRequest } from '#contract/endpoint.ts'
import type { getFeeSummary, MonthFees } from '#contract/fees.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import type { PolicyFees } from './fee-days/open-fees.ts'
import { readInvoiced } from './invoices/invoiced-fees.ts'
import { amountText } from './invoices/taxes.ts'

type Key = Pick<MonthFees, 'month' | 'operator' | 'currency' | 'constant_policy_uuid' | 'policy_name'>

const keyOf = ({ month, operator, currency, constant_policy_uuid: policy, policy_name: name }: Key): string =>
  JSON.stringify([month, operator, currency, policy, policy === null ? name : ''])

/** Fees by month, operator and policy: as they accrued, and what of them was invoiced and paid. */
export async function summarizeFees(
  fees: PolicyFees,
  state: State,
  { scope }: Pick<Viewer, 'scope'>,
  asked: ParsedRequest<typeof getFeeSummary>,
  at: Date,
): Promise<EndpointOutput<typeof getFeeSummary>> {
  const { months: accrued, ...rest } = await fees.summary(scope, asked, at)
  const invoiced = await readInvoiced(state.as(scope), scope, asked.params.region_id, asked.query)
  const rows = new Map<string, MonthFees>()
  for (const row of accrued) {
    const none = amountText(0n, rest.currency)
    const whole = { ...row, currency: rest.currency, invoiced: none, paid: none, open: none }
    rows.set(keyOf(whole), whole)
  }
  for (const { invoiced: amount, paid, ...key } of invoiced) {
    const found = rows.get(keyOf(key))
    rows.set(keyOf(key), {
      ...key,
      policy_name: found?.policy_name ?? key.policy_name,
      accrued: found?.accrued ?? amountText(0n, key.currency),
      invoiced: amountText(amount, key.currency),
      paid: amountText(paid, key.currency),
      open: amountText(amount - paid, key.currency),
    })
  }
  return {
    ...rest,
    months: [...rows.values()].toSorted(
      (a, b) =>
        a.month.localeCompare(b.month) ||
        a.operator.localeCompare(b.operator) ||
        a.policy_name.localeCompare(b.policy_name) ||
        keyOf(a).localeCompare(keyOf(b)),
    ),
  }
}
