import type { EndpointOutput } from '#contract/endpoint.ts'
import type { FeeForecast, FeeLine, forecastFees, getFeeSummary, MonthFees } from '#contract/fees.ts'
import { groupBy } from '#contract/group-by.ts'
import { endOfMonth, localDay, startOfMonth, startOfNextMonth } from '#contract/period.ts'
import { readAccounts } from '#server/curb/revenue/curb-accounts.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { canReadOperator, type Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { makeChargeLines, type ChargeTerms } from './charges/charge-lines.ts'
import { type PeriodCharges, readCharges } from './charges/read-charges.ts'
import { clipToMonth, type FeeCall, type MonthLines, type PolicyFees } from './fee-days/policy-fees.ts'
import { type FeePeriod, formatTotal } from './fee-days/fee-lines.ts'
import { type InvoicedFees, readInvoiced } from './invoices/invoiced-fees.ts'
import { formatAmount } from './invoices/taxes.ts'

type RowKey = Pick<MonthFees, 'month' | 'operator' | 'currency' | 'constant_policy_uuid' | 'policy_name'>

const makeRowKey = ({
  month,
  operator,
  currency,
  constant_policy_uuid: policy,
  policy_name: name,
}: RowKey): string => JSON.stringify([month, operator, currency, policy, policy === null ? name : ''])

/**
 * Adds the lines of charges that are not part of a policy. Charges without an operator apply only to payers:
 * operators with other fees or invoices.
 */
function addCharges(
  lines: readonly FeeLine[],
  charges: PeriodCharges,
  {
    operator,
    terms,
    isPayer = lines.length > 0,
  }: { operator: string; terms: ChargeTerms; isPayer?: boolean },
): FeeLine[] {
  const appliedCharges = charges.getAppliedCharges(operator, terms.period)
  const hasChargeOfItsOwn = appliedCharges.some((charge) => charge.operator !== null)
  return isPayer || hasChargeOfItsOwn
    ? [...lines, ...makeChargeLines(lines, appliedCharges, terms)]
    : [...lines]
}

/** Returns the ids of curb accounts, which are excluded here because they have their own page. */
const listAccountIds = async (state: State, scope: Scope, regionId: string): Promise<Set<string>> =>
  new Set((await readAccounts(state, scope, regionId)).map(({ accountId }) => accountId))

/** Returns the lines of each month and operator, empty if there are no fees. */
function listChargedMonths(
  monthLines: readonly MonthLines[],
  operators: ReadonlySet<string>,
  period: FeePeriod,
): MonthLines[] {
  const linesByKey = new Map(monthLines.map((lines) => [`${lines.month} ${lines.operator}`, lines]))
  const months: MonthLines[] = []
  for (let month = startOfMonth(period.start_date); month <= period.end_date; month = startOfNextMonth(month))
    for (const operator of operators)
      months.push(linesByKey.get(`${month} ${operator}`) ?? { month, operator, lines: [] })
  return months
}

/** Returns the lines of an operator by policy, or by charge. */
function groupLines(lines: readonly FeeLine[]): FeeLine[][] {
  return [...groupBy(lines, (line) => line.constant_policy_uuid ?? line.policy_name).values()]
}

/** Returns rows with what an operator accrued in a month. Nothing of it is invoiced yet. */
function listAccruedRows({ month, operator, lines }: MonthLines, currency: string): MonthFees[] {
  const zeroText = formatAmount(0n, currency)
  return groupLines(lines).map((group) => {
    const { constant_policy_uuid, policy_name, policy_type } = group.at(-1)!
    return {
      month,
      operator,
      currency,
      constant_policy_uuid,
      policy_name,
      policy_type,
      accrued: formatTotal(group, currency),
      invoiced: zeroText,
      paid: zeroText,
      open: zeroText,
    }
  })
}

/** Merges rows of accrued and of invoiced fees, so that each key has one row. */
function mergeRows(accrued: readonly MonthFees[], invoiced: readonly InvoicedFees[]): MonthFees[] {
  const rows = new Map(accrued.map((row) => [makeRowKey(row), row]))
  for (const { invoiced: amount, paid, ...key } of invoiced) {
    const accruedRow = rows.get(makeRowKey(key))
    rows.set(makeRowKey(key), {
      ...key,
      policy_name: accruedRow?.policy_name ?? key.policy_name,
      accrued: accruedRow?.accrued ?? formatAmount(0n, key.currency),
      invoiced: formatAmount(amount, key.currency),
      paid: formatAmount(paid, key.currency),
      open: formatAmount(amount - paid, key.currency),
    })
  }
  return [...rows.values()]
}

const compareRows = (a: MonthFees, b: MonthFees): number =>
  a.month.localeCompare(b.month) ||
  a.operator.localeCompare(b.operator) ||
  a.policy_name.localeCompare(b.policy_name) ||
  makeRowKey(a).localeCompare(makeRowKey(b))

/** Returns accrued, invoiced and paid fees and charges by month, operator and policy. */
export async function summarizeFees(
  fees: PolicyFees,
  state: State,
  call: FeeCall<typeof getFeeSummary>,
): Promise<EndpointOutput<typeof getFeeSummary>> {
  const { months: policyMonths, ...rest } = await fees.summarize(call)
  const { currency } = rest
  const { scope } = call.viewer
  const { region_id: regionId } = call.params
  const store = state.as(scope)
  const allInvoiced = await readInvoiced(store, scope, regionId, call.query)
  const { timezone } = await findRegion(state, scope, regionId)
  const today = localDay(call.at, timezone)
  const charges = await readCharges(store, { regionId, currency, period: call.query, isDraft: false })
  const accounts = await listAccountIds(state, scope, regionId)
  const invoiced = allInvoiced.filter(({ operator }) => !accounts.has(operator))
  const operators = new Set(
    [...policyMonths, ...invoiced].map(({ operator }) => operator).concat(charges.operators),
  )
  const visibleOperators = new Set(
    [...operators].filter((slug) => canReadOperator(scope, slug) && !accounts.has(slug)),
  )
  /** Returns the fees of an operator and month, with charges. Future days are not charged yet. */
  const addChargesOfMonth = ({ month, operator, lines }: MonthLines): MonthLines => {
    const period = clipToMonth(month, call.query)
    const end_date = period.end_date < today ? period.end_date : today
    if (end_date < period.start_date) return { month, operator, lines }
    const isPayer =
      lines.length > 0 || invoiced.some((row) => row.month === month && row.operator === operator)
    const terms = { currency, period: { ...period, end_date } }
    return { month, operator, lines: addCharges(lines, charges, { operator, terms, isPayer }) }
  }
  const accrued = listChargedMonths(policyMonths, visibleOperators, call.query).flatMap((month) =>
    listAccruedRows(addChargesOfMonth(month), currency),
  )
  return { ...rest, months: mergeRows(accrued, invoiced).toSorted(compareRows) }
}

/** Returns fees and charges of this month: accrued, and expected. Forecasts of one policy exclude charges. */
export async function forecastMonth(
  fees: PolicyFees,
  state: State,
  call: FeeCall<typeof forecastFees>,
): Promise<EndpointOutput<typeof forecastFees>> {
  const { operators: policyForecasts, ...rest } = await fees.forecast(call)
  const { scope } = call.viewer
  const regionId = call.params.region_id
  const { currency, month, today } = rest
  const fullMonth = { start_date: month, end_date: endOfMonth(month) }
  const charges = call.query.constant_policy_uuid
    ? { operators: [], getAppliedCharges: () => [] }
    : await readCharges(state.as(scope), { regionId, currency, period: fullMonth, isDraft: false })
  const accounts = await listAccountIds(state, scope, regionId)
  const operatorsWithFees = new Set(policyForecasts.map(({ operator }) => operator))
  const operatorsWithChargesOnly = charges.operators
    .filter(
      (operator) =>
        !operatorsWithFees.has(operator) && !accounts.has(operator) && canReadOperator(scope, operator),
    )
    .map((operator) => ({ operator, accrued: [], expected: [], low: [], high: [] }))
  const monthToToday = { start_date: month, end_date: today }
  return {
    ...rest,
    operators: [...policyForecasts, ...operatorsWithChargesOnly]
      .toSorted((a, b) => a.operator.localeCompare(b.operator))
      .map(({ operator, accrued, expected, low, high }): FeeForecast => {
        const formatTotalWithCharges = (lines: readonly FeeLine[], period: FeePeriod): string =>
          formatTotal(addCharges(lines, charges, { operator, terms: { currency, period } }), currency)
        return {
          operator,
          accrued: formatTotalWithCharges(accrued, monthToToday),
          expected: formatTotalWithCharges(expected, fullMonth),
          low: formatTotalWithCharges(low, fullMonth),
          high: formatTotalWithCharges(high, fullMonth),
        }
      }),
  }
}
