import type { FeeLine } from '#contract/fees.ts'
import type { InvoiceLine } from '#contract/invoices.ts'
import type { FeeQuestion } from '../fee-source.ts'
import { type Balance, findBalances, type InvoiceRow, parseLines, toMinorLines } from './invoice-store.ts'
import { sumMinor } from './taxes.ts'
import type { Store } from '#server/stores/state.ts'

/** Returns the key by which adjustments compare fees: the revision of the policy, or the charge. */
export const toRevisionKey = ({
  policy_uuid: policy,
  charge_id: charge,
  description,
}: Pick<FeeLine, 'policy_uuid' | 'charge_id' | 'description'>): string =>
  policy ?? charge ?? `charge ${description}`

/** An issued invoice with its lines. */
export type EarlierInvoice = Pick<InvoiceRow, 'invoice_id' | 'start_date' | 'end_date'> & {
  number: string
  lines: InvoiceLine[]
}

/** Documents that were issued to an operator. */
export interface EarlierDocuments {
  /** Invoices that are not withdrawn, oldest first. */
  invoices: EarlierInvoice[]
  /** Lines of the operator's credit notes. */
  credits: InvoiceLine[]
}

/**
 * Lists the operator's issued invoices that are not withdrawn, and credits. An invoice is withdrawn if it was
 * credited in full, or if adjustments took back what credit notes had left.
 */
export async function listEarlierDocuments(
  store: Store,
  { regionId, operator }: Pick<FeeQuestion, 'regionId' | 'operator'>,
  currency: string,
): Promise<EarlierDocuments> {
  const rows = await store
    .selectFrom('invoice')
    .select(['invoice_id', 'kind', 'start_date', 'end_date', 'number', 'total', 'lines'])
    .where('region_id', '=', regionId)
    .where('operator', '=', operator)
    .where('status', '=', 'issued')
    .where('currency', '=', currency)
    .orderBy('start_date')
    .orderBy('invoice_id')
    .execute()
  const balances = await findBalances(store, regionId)
  const credits = rows.flatMap((row) => (row.kind === 'credit_note' ? parseLines(row) : []))
  const issued = rows.flatMap(({ number, kind, total, ...row }) =>
    kind === 'invoice' && number !== null
      ? [{ ...row, number, total: BigInt(total), lines: parseLines(row) }]
      : [],
  )
  const invoices = issued.filter((invoice) => {
    const credited = balances.get(invoice.invoice_id)?.credited ?? 0n
    if (credited <= 0n) return true
    if (credited >= invoice.total) return false
    const documents = { invoices: issued, credits }
    return invoice.lines
      .filter(({ kind }) => kind === 'fee')
      .some((line) => computeChargedBefore(invoice, toRevisionKey(line), documents, currency).left !== 0n)
  })
  return { invoices, credits }
}

/**
 * Returns the amount charged for a revision by an invoice and by later adjustments of it, in minor units.
 * `charged` is the amount before, `left` the amount after credits of those lines.
 */
export function computeChargedBefore(
  invoice: Pick<EarlierInvoice, 'invoice_id'>,
  revision: string,
  { invoices, credits }: EarlierDocuments,
  currency: string,
): { charged: bigint; left: bigint } {
  const chargingLines = invoices.flatMap(({ invoice_id: invoiceId, lines }) =>
    lines.flatMap((line) =>
      toRevisionKey(line) === revision &&
      (line.kind === 'fee'
        ? invoiceId === invoice.invoice_id
        : line.original?.invoice_id === invoice.invoice_id)
        ? [{ invoiceId, line }]
        : [],
    ),
  )
  const sumAmounts = (lines: readonly InvoiceLine[]): bigint =>
    sumMinor(toMinorLines(lines, currency).map(({ amount }) => amount))
  const charged = sumAmounts(chargingLines.map(({ line }) => line))
  const creditLines = credits.filter(({ original }) =>
    chargingLines.some(
      ({ invoiceId, line }) => original?.invoice_id === invoiceId && original.line === line.line,
    ),
  )
  return { charged, left: charged + sumAmounts(creditLines) }
}

type BilledDocument = Pick<InvoiceRow, 'invoice_id' | 'operator' | 'kind' | 'status' | 'currency'> & {
  total: string | number | bigint
}

/** Finds ids of invoices that were credited in part, while later adjustments took back the rest. */
export async function findWithdrawnInvoices(
  store: Store,
  regionId: string,
  rows: readonly BilledDocument[],
  balances: ReadonlyMap<string, Balance>,
): Promise<Set<string>> {
  const partlyCredited = rows.filter(({ invoice_id: id, kind, status, total }) => {
    const credited = balances.get(id)?.credited ?? 0n
    return kind === 'invoice' && status === 'issued' && credited > 0n && credited < BigInt(total)
  })
  const payers = new Map(
    partlyCredited.map(({ operator, currency }) => [`${operator} ${currency}`, { operator, currency }]),
  )
  const withdrawn = new Set(partlyCredited.map(({ invoice_id: id }) => id))
  for (const { operator, currency } of payers.values()) {
    const { invoices } = await listEarlierDocuments(store, { regionId, operator }, currency)
    for (const { invoice_id: id } of invoices) withdrawn.delete(id)
  }
  return withdrawn
}
