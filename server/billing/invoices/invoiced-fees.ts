import type { InvoiceLine, InvoiceTax } from '#contract/invoices.ts'
import { type LocalDay, startOfMonth } from '#contract/period.ts'
import type { Scope } from '#server/stores/scope.ts'
import { findBalances, parseLines, toMinorLines, parseTaxes, selectVisibleInvoices } from './invoice-store.ts'
import { sumMinor, toMinorUnits } from './taxes.ts'
import type { Store } from '#server/stores/state.ts'

/** The parts of an issued invoice or credit note that sums by policy need. */
export interface IssuedDocument {
  invoice_id: string
  /** The credited invoice; null unless this is a credit note. */
  original_id: string | null
  operator: string
  currency: string
  lines: readonly InvoiceLine[]
  taxes: readonly InvoiceTax[]
}

/** The amounts invoiced and paid for a policy and month, with taxes, in minor units. */
export interface InvoicedFees {
  /** First day of the month in which lines begin. */
  month: LocalDay
  operator: string
  currency: string
  constant_policy_uuid: string | null
  policy_name: string
  policy_type: string | null
  invoiced: bigint
  paid: bigint
}

const getAbsolute = (amount: bigint): bigint => (amount < 0n ? -amount : amount)
/** Returns the index of the amount with the largest absolute value. */
const findIndexOfLargest = (amounts: readonly bigint[]): number =>
  amounts.reduce(
    (largest, amount, index) => (getAbsolute(amount) > getAbsolute(amounts[largest] ?? 0n) ? index : largest),
    0,
  )

/**
 * Splits an amount in proportion to weights, some of which may be negative. The parts add up to the amount:
 * what is left after rounding down goes to the largest remainders. If the weights add up to 0, the largest
 * gets everything.
 */
export function splitAmount(amount: bigint, weights: readonly bigint[]): bigint[] {
  const sum = sumMinor(weights)
  if (sum === 0n) {
    const largest = findIndexOfLargest(weights)
    return weights.map((_, index) => (index === largest ? amount : 0n))
  }
  const divisor = getAbsolute(sum)
  const parts = weights.map((weight, index) => {
    const scaled = amount * weight * (sum < 0n ? -1n : 1n)
    // Unlike `%`, this remainder is never negative, so that all parts are rounded down.
    const remainder = ((scaled % divisor) + divisor) % divisor
    return { index, part: (scaled - remainder) / divisor, remainder }
  })
  const unitsLeft = Number(amount - sumMinor(parts.map(({ part }) => part)))
  // Sorting is stable, so equal remainders remain in order.
  const byRemainder = parts.toSorted((a, b) => Number(b.remainder - a.remainder))
  const roundedUp = new Set(byRemainder.slice(0, unitsLeft).map(({ index }) => index))
  return parts.map(({ index, part }) => (roundedUp.has(index) ? part + 1n : part))
}

/** The fees of one invoice for a policy and month. `gross` is their amount before credits. */
type Group = Omit<InvoicedFees, 'operator' | 'currency'> & { gross: bigint }

/** Returns the key of a line's month and policy. Charges outside of policies have the key of a name. */
const toGroupKey = (line: InvoiceLine): string =>
  `${startOfMonth(line.start_date)} ${line.constant_policy_uuid ?? line.policy_name}`

/**
 * Adds the lines of a document to the groups of its invoice, with each group's share of taxes that prices do
 * not include.
 * @param isOriginal Whether the document is the invoice and not a credit note.
 */
function addDocument(
  groups: Map<string, Group>,
  document: Pick<IssuedDocument, 'currency' | 'lines' | 'taxes'>,
  isOriginal: boolean,
): void {
  const { currency } = document
  const lines = toMinorLines(document.lines, currency)
  const keys = [...new Set(document.lines.map(toGroupKey))]
  const sumGroup = (key: string, code?: string): bigint =>
    sumMinor(
      lines
        .filter((line, index) => {
          const sourceLine = document.lines[index]
          return (
            sourceLine && toGroupKey(sourceLine) === key && (code === undefined || line.tax_code === code)
          )
        })
        .map(({ amount }) => amount),
    )
  const amounts = new Map(keys.map((key) => [key, sumGroup(key)]))
  for (const tax of document.taxes.filter(({ is_inclusive: isInclusive }) => !isInclusive)) {
    const taxedKeys = keys.filter((key) =>
      document.lines.some((line) => toGroupKey(line) === key && line.tax_code === tax.code),
    )
    const shares = splitAmount(
      toMinorUnits(tax.tax, currency) ?? 0n,
      taxedKeys.map((key) => sumGroup(key, tax.code)),
    )
    for (const [index, key] of taxedKeys.entries())
      amounts.set(key, (amounts.get(key) ?? 0n) + (shares[index] ?? 0n))
  }
  for (const line of document.lines) {
    const key = toGroupKey(line)
    if (!groups.has(key))
      groups.set(key, {
        month: startOfMonth(line.start_date),
        constant_policy_uuid: line.constant_policy_uuid,
        policy_name: line.policy_name,
        policy_type: line.policy_type,
        invoiced: 0n,
        paid: 0n,
        gross: 0n,
      })
  }
  for (const [key, amount] of amounts) {
    const group = groups.get(key)
    if (!group) continue
    group.invoiced += amount
    if (isOriginal) group.gross += amount
  }
}

/**
 * Sums documents by operator, policy and the month in which lines begin, so that adjustments and credits
 * count in the month that they correct. A payment is split among the groups of its invoice in proportion to
 * their amounts after credits. An overpayment counts for the largest group.
 */
export function sumInvoiced(
  documents: readonly IssuedDocument[],
  getPaid: (invoiceId: string) => bigint,
): InvoicedFees[] {
  const sums = new Map<string, InvoicedFees>()
  for (const invoice of documents.filter((document) => document.original_id === null)) {
    const { invoice_id: id, operator, currency } = invoice
    const groups = new Map<string, Group>()
    addDocument(groups, invoice, true)
    for (const note of documents.filter((document) => document.original_id === id))
      addDocument(groups, note, false)
    const groupList = [...groups.values()]
    const invoicedAmounts = groupList.map(({ invoiced }) => invoiced)
    const paid = getPaid(id)
    const total = sumMinor(invoicedAmounts)
    const due = total > 0n ? total : 0n
    const paidOfDue = paid < due ? paid : due
    const shares = splitAmount(paidOfDue, invoicedAmounts)
    const largest = findIndexOfLargest(groupList.map(({ gross }) => gross))
    for (const [index, { gross: _, ...group }] of groupList.entries()) {
      group.paid = (shares[index] ?? 0n) + (index === largest ? paid - paidOfDue : 0n)
      const key = JSON.stringify([
        group.month,
        operator,
        currency,
        group.constant_policy_uuid ?? group.policy_name,
        group.constant_policy_uuid === null,
      ])
      const sum = sums.get(key)
      if (!sum) sums.set(key, { ...group, operator, currency })
      else {
        sum.invoiced += group.invoiced
        sum.paid += group.paid
      }
    }
  }
  return [...sums.values()]
}

/** Reads the amounts invoiced and paid for lines that begin in a period. */
export async function readInvoiced(
  store: Store,
  scope: Scope,
  regionId: string,
  { start_date: firstDay, end_date: lastDay }: { start_date: LocalDay; end_date: LocalDay },
): Promise<InvoicedFees[]> {
  // Adjustments begin before the service period of their invoice, so later invoices are read too.
  const rows = await selectVisibleInvoices(store, scope, regionId)
    .select(['invoice_id', 'original_id', 'operator', 'currency', 'lines', 'taxes'])
    .where('status', '=', 'issued')
    .where('end_date', '>=', firstDay)
    .orderBy('start_date')
    .orderBy('invoice_id')
    .execute()
  const balances = await findBalances(store, regionId)
  const documents = rows.map((row) => ({ ...row, lines: parseLines(row), taxes: parseTaxes(row) }))
  return sumInvoiced(documents, (id) => balances.get(id)?.paid ?? 0n).filter(
    ({ month }) => month >= startOfMonth(firstDay) && month <= lastDay,
  )
}
