import { csvLine } from '#contract/csv.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type * as contract from '#contract/invoice-payments.ts'
import type { AgingRow, StatementEntry } from '#contract/invoice-payments.ts'
import type { InvoiceKind, InvoiceLine } from '#contract/invoices.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import { type Call, RawResponse } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { canReadOperator } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findBillingSettings, requireCity } from './billing-settings.ts'
import { getDisputedAmount, getOpenAmount } from './invoice-status.ts'
import {
  type InvoiceRow,
  parseLines,
  listInvoiceRows,
  toMinorLines,
  toStatusInput,
  parseTaxes,
  findToday,
  selectVisibleInvoices,
} from './invoice-store.ts'
import { findPayments } from './payments.ts'
import { formatAmount, toMinorUnits } from './taxes.ts'

/** A statement entry with its amount in minor units, negative if it reduces what is open. */
type ExactEntry = Omit<StatementEntry, 'amount' | 'balance'> & { amount: bigint; operator: string }

/** Order of entries on the same day. */
const kindOrder = { invoice: 0, credit_note: 1, payment: 2 }

/** Lists invoices, credit notes and payments of a region or operator, by day. */
async function listEntries(
  state: State,
  viewer: Viewer,
  regionId: string,
  operator?: string,
): Promise<ExactEntry[]> {
  const { scope } = viewer
  const store = state.as(scope)
  const documents = await selectVisibleInvoices(store, scope, regionId, operator)
    .select(['invoice_id', 'kind', 'number', 'operator', 'currency', 'total', 'issue_date'])
    .where('status', '=', 'issued')
    .execute()
  const payments = await findPayments(store, regionId, documents, true)
  return [
    ...documents.map((row): ExactEntry => ({
      date: row.issue_date ?? '',
      kind: row.kind as InvoiceKind,
      invoice_id: row.invoice_id,
      number: row.number ?? '',
      operator: row.operator,
      reference: '',
      currency: row.currency,
      amount: BigInt(row.total),
    })),
    ...payments
      .filter((payment) => !payment.is_void)
      .map((payment): ExactEntry => ({
        date: payment.date,
        kind: 'payment',
        invoice_id: payment.invoice_id,
        number: payment.number,
        operator: payment.operator,
        reference: payment.reference,
        currency: payment.currency,
        amount: -(toMinorUnits(payment.amount, payment.currency) ?? 0n),
      })),
  ].toSorted(
    (a, b) =>
      a.date.localeCompare(b.date) ||
      kindOrder[a.kind] - kindOrder[b.kind] ||
      a.number.localeCompare(b.number, 'en', { numeric: true }),
  )
}

/** Reads the opening and closing balances of an operator in a period, with the entries in between. */
export async function getStatement(
  state: State,
  { viewer, params, query }: Call<typeof contract.getStatement>,
): Promise<EndpointOutput<typeof contract.getStatement>> {
  const { region_id: regionId, operator } = params
  const { start_date: firstDay, end_date: lastDay } = query
  await findRegion(state, viewer.scope, regionId)
  if (!canReadOperator(viewer.scope, operator))
    throw new Problem('not_found', `There is no operator '${operator}'.`)
  const allEntries = await listEntries(state, viewer, regionId, operator)
  const balances = new Map<string, { opening: bigint; closing: bigint }>()
  const entries: StatementEntry[] = []
  for (const { operator: _, ...entry } of allEntries.filter(({ date }) => date <= lastDay)) {
    const { currency, amount, date } = entry
    const balance = balances.get(currency) ?? { opening: 0n, closing: 0n }
    balance.closing += amount
    if (date < firstDay) balance.opening += amount
    balances.set(currency, balance)
    if (date >= firstDay)
      entries.push({
        ...entry,
        amount: formatAmount(amount, currency),
        balance: formatAmount(balance.closing, currency),
      })
  }
  return {
    operator,
    start_date: firstDay,
    end_date: lastDay,
    balances: [...balances].map(([currency, { opening, closing }]) => ({
      currency,
      opening: formatAmount(opening, currency),
      closing: formatAmount(closing, currency),
    })),
    entries,
  }
}

/** Returns the aging bucket of an amount by the days since it was due. */
const findAgingBucket = (
  due: LocalDay | null,
  today: LocalDay,
): 'not_due' | 'days_1_30' | 'days_31_60' | 'days_61_90' | 'days_over_90' => {
  const days = due === null ? 0 : dayNumber(today) - dayNumber(due)
  if (days <= 0) return 'not_due'
  if (days <= 30) return 'days_1_30'
  if (days <= 60) return 'days_31_60'
  return days <= 90 ? 'days_61_90' : 'days_over_90'
}

const noAging = {
  not_due: 0n,
  days_1_30: 0n,
  days_31_60: 0n,
  days_61_90: 0n,
  days_over_90: 0n,
  overpaid: 0n,
  total: 0n,
  disputed: 0n,
}

/** Reads the open amounts by operator, grouped by days past the due date. */
export async function getAging(
  state: State,
  { viewer: { scope }, params: { region_id: regionId }, at }: Call<typeof contract.getAging>,
): Promise<{ date: LocalDay; items: AgingRow[] }> {
  const today = await findToday(state.as(scope), regionId, at)
  const { rows, balances } = await listInvoiceRows(state.as(scope), scope, regionId)
  const sums = new Map<string, typeof noAging>()
  for (const row of rows) {
    const input = toStatusInput(row, balances.get(row.invoice_id))
    const open = getOpenAmount(input)
    if (open === 0n) continue
    const key = JSON.stringify([row.operator, row.currency])
    const sum = sums.get(key) ?? { ...noAging }
    sum[open < 0n ? 'overpaid' : findAgingBucket(row.due_date, today)] += open
    sum.total += open
    sum.disputed += getDisputedAmount(input)
    sums.set(key, sum)
  }
  const items = [...sums].map(([key, sum]): AgingRow => {
    const [operator = '', currency = ''] = JSON.parse(key) as string[]
    const texts = Object.fromEntries(
      Object.entries(sum).map(([name, amount]) => [name, formatAmount(amount, currency)]),
    ) as Record<keyof typeof noAging, string>
    return { operator, currency, ...texts }
  })
  return { date: today, items: items.toSorted((a, b) => a.operator.localeCompare(b.operator)) }
}

type FeeAccount = Pick<InvoiceLine, 'policy_type' | 'account_code'>

/** Returns net amounts by revenue account. Included tax is taken from a rate's largest account. */
function sumRevenueByAccount(
  row: InvoiceRow,
  findAccountCode: (line: FeeAccount) => string,
): Map<string, bigint> {
  const { currency } = row
  const lines = toMinorLines(parseLines(row), currency)
  const sums = new Map<string, bigint>()
  const add = (account: string, amount: bigint): void =>
    void sums.set(account, (sums.get(account) ?? 0n) + amount)
  for (const line of lines) add(findAccountCode(line), line.amount)
  for (const tax of parseTaxes(row).filter((candidate) => candidate.is_inclusive)) {
    const taxedSums = new Map<string, bigint>()
    for (const line of lines.filter(({ tax_code: code }) => code === tax.code))
      taxedSums.set(findAccountCode(line), (taxedSums.get(findAccountCode(line)) ?? 0n) + line.amount)
    const getSize = (amount: bigint): bigint => (amount < 0n ? -amount : amount)
    const [largestAccount] = [...taxedSums].reduce((a, b) => (getSize(b[1]) > getSize(a[1]) ? b : a))
    add(largestAccount, -(toMinorUnits(tax.tax, currency) ?? 0n))
  }
  return sums
}

const ledgerColumns = ['date', 'kind', 'number', 'operator', 'currency', 'account', 'debit', 'credit', 'text']

/** Sends the journal of a period as CSV. Debits and credits of each document and payment balance. */
export async function downloadLedger(
  state: State,
  { viewer, params: { region_id: regionId }, query }: Call<typeof contract.downloadLedger>,
): Promise<RawResponse> {
  requireCity(viewer)
  const { scope } = viewer
  await findRegion(state, scope, regionId)
  const store = state.as(scope)
  const { account_codes: codes } = await findBillingSettings(state, scope, regionId)
  const findAccountCode = ({ policy_type: type, account_code: accountCode }: FeeAccount): string =>
    accountCode ?? codes.revenue[type ?? ''] ?? codes.revenue['default'] ?? ''
  const rows = await selectVisibleInvoices(store, scope, regionId)
    .selectAll()
    .where('status', '=', 'issued')
    .execute()
  const rowsById = new Map(rows.map((row) => [row.invoice_id, row]))
  const lines: string[] = [csvLine(ledgerColumns)]
  const entries = await listEntries(state, viewer, regionId)
  for (const entry of entries.filter(({ date }) => date >= query.start_date && date <= query.end_date)) {
    const { date, kind, number, operator, currency, amount } = entry
    /** Adds a row for an amount in minor units. Positive amounts are debits, negative ones credits. */
    const post = (account: string, postedAmount: bigint, text: string): void => {
      if (postedAmount === 0n) return
      const absoluteAmount = formatAmount(postedAmount < 0n ? -postedAmount : postedAmount, currency)
      const debitAndCredit = postedAmount > 0n ? [absoluteAmount, ''] : ['', absoluteAmount]
      lines.push(csvLine([date, kind, number, operator, currency, account, ...debitAndCredit, text]))
    }
    const row = rowsById.get(entry.invoice_id)
    if (kind === 'payment') {
      post(codes.payment ?? '', -amount, entry.reference)
      post(codes.receivable ?? '', amount, entry.reference)
    } else if (row) {
      post(codes.receivable ?? '', amount, 'total')
      for (const [account, net] of sumRevenueByAccount(row, findAccountCode)) post(account, -net, 'net')
      post(codes.tax ?? '', -BigInt(row.tax), 'tax')
    }
  }
  return new RawResponse(Buffer.from(`${lines.join('\r\n')}\r\n`), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="ledger_${regionId}_${query.start_date}_${query.end_date}.csv"`,
  })
}
