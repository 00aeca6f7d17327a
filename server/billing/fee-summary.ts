import type { EndpointOutput, ParsedRequest } from '#contract/endpoint.ts'
import type { FeeForecast, FeeLine, forecastFees, getFeeSummary, MonthFees } from '#contract/fees.ts'
import { endOfMonth, localDay, startOfMonth } from '#contract/period.ts'
import { readAccounts } from '#server/curb/revenue/curb-accounts.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { canReadOperator, type Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { chargeLines, type ChargeTerms } from './charges/charge-lines.ts'
import { type PeriodCharges, readCharges } from './charges/charge-store.ts'
import { monthOf, type MonthLines, type PolicyFees } from './fee-days/open-fees.ts'
import { type FeePeriod, totalText } from './fee-days/read-fees.ts'
import { readInvoiced } from './invoices/invoiced-fees.ts'
import { amountText } from './invoices/taxes.ts'

type Key = Pick<MonthFees, 'month' | 'operator' | 'currency' | 'constant_policy_uuid' | 'policy_name'>

const keyOf = ({ month, operator, currency, constant_policy_uuid: policy, policy_name: name }: Key): string =>
  JSON.stringify([month, operator, currency, policy, policy === null ? name : ''])

/** Lines with the charges beside policies. Charges of all operators are only for those that pay anything else. */
function withCharges(
  lines: readonly FeeLine[],
  charges: PeriodCharges,
  operator: string,
  terms: ChargeTerms,
  isPayer = lines.length > 0,
): FeeLine[] {
  const applied = charges.of(operator, terms.period)
  const hasOwn = applied.some((charge) => charge.operator !== null)
  return isPayer || hasOwn ? [...lines, ...chargeLines(lines, applied, terms)] : [...lines]
}

/** Accounts of the curb: they have a page of their own. */
const accountIds = async (state: State, scope: Scope, regionId: string): Promise<Set<string>> =>
  new Set((await readAccounts(state, scope, regionId)).map(({ accountId }) => accountId))

/** Each month of operators; without fees, its lines are empty. */
function chargedMonths(
  found: readonly MonthLines[],
  operators: ReadonlySet<string>,
  period: FeePeriod,
): MonthLines[] {
  const byKey = new Map(found.map((each) => [`${each.month} ${each.operator}`, each]))
  const months: MonthLines[] = []
  for (let month = startOfMonth(period.start_date); month <= period.end_date; month = startOfMonth(month, -1))
    for (const operator of operators)
      months.push(byKey.get(`${month} ${operator}`) ?? { month, operator, lines: [] })
  return months
}

/** Fees and charges by month, operator and policy: as they accrued, and what of them was invoiced and paid. */
export async function summarizeFees(
  fees: PolicyFees,
  state: State,
  { scope }: Pick<Viewer, 'scope'>,
  request: ParsedRequest<typeof getFeeSummary>,
  at: Date,
): Promise<EndpointOutput<typeof getFeeSummary>> {
  const { months: found, ...rest } = await fees.summary(scope, request, at)
  const { region_id: regionId } = request.params
  const { currency } = rest
  const store = state.as(scope)
  const allInvoiced = await readInvoiced(store, scope, regionId, request.query)
  const { timezone } = await findRegion(state, scope, regionId)
  const today = localDay(at, timezone)
  const charges = await readCharges(store, regionId, { currency, period: request.query }, false)
  const accounts = await accountIds(state, scope, regionId)
  const invoiced = allInvoiced.filter(({ operator }) => !accounts.has(operator))
  const operators = new Set([...found, ...invoiced].map(({ operator }) => operator).concat(charges.operators))
  const seen = new Set([...operators].filter((slug) => canReadOperator(scope, slug) && !accounts.has(slug)))
  const rows = new Map<string, MonthFees>()
  const none = amountText(0n, currency)
  for (const { month, operator, lines } of chargedMonths(found, seen, request.query)) {
    const period = monthOf(month, request.query)
    const end = period.end_date < today ? period.end_date : today
    const isPayer =
      lines.length > 0 || invoiced.some((each) => each.month === month && each.operator === operator)
    // Days to come are not charged yet.
    const terms = { currency, period: { ...period, end_date: end } }
    const all = end < period.start_date ? lines : withCharges(lines, charges, operator, terms, isPayer)
    const groups = new Map<string, FeeLine[]>()
    for (const line of all) {
      const key = line.constant_policy_uuid ?? line.policy_name
      groups.set(key, [...(groups.get(key) ?? []), line])
    }
    for (const group of groups.values()) {
      const { constant_policy_uuid, policy_name, policy_type } = group.at(-1)!
      const row = {
        month,
        operator,
        currency,
        constant_policy_uuid,
        policy_name,
        policy_type,
        accrued: totalText(group, currency),
        invoiced: none,
        paid: none,
        open: none,
      }
      rows.set(keyOf(row), row)
    }
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

/** Fees and charges of this month: so far, and until its end as they are expected. Of one policy: without charges. */
export async function forecastMonth(
  fees: PolicyFees,
  state: State,
  { scope }: Pick<Viewer, 'scope'>,
  request: ParsedRequest<typeof forecastFees>,
  at: Date,
): Promise<EndpointOutput<typeof forecastFees>> {
  const { operators: found, ...rest } = await fees.forecast(scope, request, at)
  const { currency, month, today } = rest
  const whole = { start_date: month, end_date: endOfMonth(month) }
  const charges = request.query.constant_policy_uuid
    ? { operators: [], of: () => [] }
    : await readCharges(state.as(scope), request.params.region_id, { currency, period: whole }, false)
  const accounts = await accountIds(state, scope, request.params.region_id)
  const known = new Set(found.map(({ operator }) => operator))
  const others = charges.operators
    .filter((operator) => !known.has(operator) && !accounts.has(operator) && canReadOperator(scope, operator))
    .map((operator) => ({ operator, accrued: [], expected: [], low: [], high: [] }))
  const soFar = { start_date: month, end_date: today }
  return {
    ...rest,
    operators: [...found, ...others]
      .toSorted((a, b) => a.operator.localeCompare(b.operator))
      .map(({ operator, accrued, expected, low, high }): FeeForecast => {
        const total = (lines: readonly FeeLine[], period: FeePeriod): string =>
          totalText(withCharges(lines, charges, operator, { currency, period }), currency)
        return {
          operator,
          accrued: total(accrued, soFar),
          expected: total(expected, whole),
          low: total(low, whole),
          high: total(high, whole),
        }
      }),
  }
}
