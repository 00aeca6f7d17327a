import type { FeeLine } from '#contract/fees.ts'
import type { InvoiceLine } from '#contract/invoices.ts'
import type { FeeQuestion } from '../fee-source.ts'
import { type Balance, findBalances, type InvoiceRow, linesOf, minorLines } from './invoice-store.ts'
import { sumMinor } from './taxes.ts'
import type { Store } from '#server/stores/state.ts'

/** What adjustments compare: fees of one revision of a policy, or of one charge that is not from a policy. */
export const revisionOf = ({
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

/** What was issued to an operator before. */
export interface Earlier {
  /** Invoices that were not credited in full, oldest first. */
  invoices: EarlierInvoice[]
  /** Lines of the credit notes of those. */
  credits: InvoiceLine[]
}

/**
 * Invoices of an operator that are in force, and credits. One of which nothing is left can be replaced: it was credited in full, or what
 * credit notes left was taken back by adjustments.
 */
export async function listEarlier(
  store: Store,
  { regionId, operator }: Pick<FeeQuestion, 'regionId' | 'operator'>,
  currency: string,
): Promise<Earlier> {
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
  const credits = rows.flatMap((row) => (row.kind === 'credit_note' ? linesOf(row) : []))
  const issued = rows.flatMap(({ number, kind, total, ...row }) =>
    kind === 'invoice' && number !== null
      ? [{ ...row, number, total: BigInt(total), lines: linesOf(row) }]
      : [],
  )
  const invoices = issued.filter((invoice) => {
    const credited = balances.get(invoice.invoice_id)?.credited ?? 0n
    if (credited <= 0n) return true
    if (credited >= invoice.total) return false
    return invoice.lines
      .filter(({ kind }) => kind === 'fee')
      .some(
        (line) =>
          chargedBefore(invoice, revisionOf(line), { invoices: issued, credits }, currency).left !== 0n,
      )
  })
  return { invoices, credits }
}

/**
 * What was charged for a revision of an invoice, in minor units: by the invoice and by adjustments of later ones, without and with what was
 * credited of those lines.
 */
export function chargedBefore(
  invoice: Pick<EarlierInvoice, 'invoice_id'>,
  revision: string,
  { invoices, credits }: Earlier,
  currency: string,
): { charged: bigint; left: bigint } {
  const own = invoices.flatMap((each) =>
    each.lines.flatMap((line) =>
      revisionOf(line) === revision &&
      (line.kind === 'fee'
        ? each.invoice_id === invoice.invoice_id
        : line.original?.invoice_id === invoice.invoice_id)
        ? [{ invoiceId: each.invoice_id, line }]
        : [],
    ),
  )
  const sumOf = (lines: readonly InvoiceLine[]): bigint =>
    sumMinor(minorLines(lines, currency).map(({ amount }) => amount))
  const charged = sumOf(own.map(({ line }) => line))
  const credited = credits.filter(({ original }) =>
    own.some(({ invoiceId, line }) => original?.invoice_id === invoiceId && original.line === line.line),
  )
  return { charged, left: charged + sumOf(credited) }
}

type Credited = Pick<InvoiceRow, 'invoice_id' | 'operator' | 'kind' | 'status' | 'currency'> & {
  total: string | number | bigint
}

/** Of some invoices, those of which credits left a part that later adjustments took back: nothing of them is left. */
export async function findWithdrawn(
  store: Store,
  regionId: string,
  rows: readonly Credited[],
  balances: ReadonlyMap<string, Balance>,
): Promise<Set<string>> {
  const partly = rows.filter(({ invoice_id: id, kind, status, total }) => {
    const credited = balances.get(id)?.credited ?? 0n
    return kind === 'invoice' && status === 'issued' && credited > 0n && credited < BigInt(total)
  })
  const payers = new Map(
    partly.map(({ operator, currency }) => [`${operator} ${currency}`, { operator, currency }]),
  )
  const found = new Set(partly.map(({ invoice_id: id }) => id))
  for (const { operator, currency } of payers.values()) {
    const { invoices } = await listEarlier(store, { regionId, operator }, currency)
    for (const { invoice_id: id } of invoices) found.delete(id)
  }
  return found
}
