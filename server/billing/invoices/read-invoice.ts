import type { BillingSettings, PayerSettings } from '#contract/billing-settings.ts'
import type * as contract from '#contract/invoices.ts'
import type { Invoice, InvoiceKind, InvoiceSnapshot, InvoiceSummary } from '#contract/invoices.ts'
import type { UnchargedRate } from '#contract/fees.ts'
import type { LocalDay } from '#contract/period.ts'
import { getDefaultOperatorName } from '#contract/operators.ts'
import type { Call } from '#server/http/route.ts'
import { findAccount } from '#server/curb/revenue/curb-accounts.ts'
import { getDayEnd, getDayStart } from '#server/regions/local-hours.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { parseOrderBy } from '#server/stores/list-query.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { listUnchargedRates } from '../fee-days/fee-revision.ts'
import { findBillingSettings, findPayer } from './billing-settings.ts'
import { readDisputes } from './read-disputes.ts'
import { deriveStatus, getDisputedAmount, getOpenAmount } from './invoice-status.ts'
import {
  type Balance,
  findBalances,
  findDocument,
  findInvoice,
  findOriginal,
  type InvoiceCall,
  type InvoiceRow,
  parseLines,
  listInvoiceRows,
  formatSigned,
  toStatusInput,
  type SummaryRow,
  parseTaxes,
  findToday,
} from './invoice-store.ts'
import { findWithdrawnInvoices } from './earlier-invoices.ts'
import { findMails } from './invoice-mails.ts'
import { findPayments } from './payments.ts'
import { formatAmount } from './taxes.ts'

/** Converts a stored invoice to the summary of the API, with its status on a local day. */
function summarize(
  row: SummaryRow,
  balance: Balance | undefined,
  today: LocalDay,
  isWithdrawn: boolean,
): InvoiceSummary {
  const input = toStatusInput(row, balance, isWithdrawn)
  const { currency } = row
  return {
    invoice_id: row.invoice_id,
    kind: row.kind as InvoiceKind,
    number: row.number,
    operator: row.operator,
    start_date: row.start_date,
    end_date: row.end_date,
    currency,
    status: deriveStatus(input, today),
    issue_date: row.issue_date,
    due_date: row.due_date,
    net: formatSigned(row.net, currency),
    tax: formatSigned(row.tax, currency),
    total: formatSigned(row.total, currency),
    credited: formatAmount(input.credited, currency),
    paid: formatAmount(input.paid, currency),
    open: formatAmount(getOpenAmount(input), currency),
    disputed: formatAmount(getDisputedAmount(input), currency),
    has_estimate: row.has_estimate,
    created_time: row.created_time.toISOString(),
  }
}

type ListCall = Omit<Call<typeof contract.listInvoices>, 'body' | 'headers' | 'signal'>

/** Returns a comparison by a displayed value: amounts by number, texts by alphabet, missing values last. */
function createComparison(order: ListCall['query']['order_by']) {
  const [key] = parseOrderBy(order)
  const sign = order.startsWith('-') ? -1 : 1
  const isAmount = key === 'total' || key === 'open'
  return (a: InvoiceSummary, b: InvoiceSummary): number => {
    const valueA = a[key]
    const valueB = b[key]
    if (valueA === null || valueB === null) return Number(valueA === null) - Number(valueB === null)
    const difference = isAmount
      ? Number(valueA) - Number(valueB)
      : valueA.localeCompare(valueB, 'en', { numeric: true })
    return (
      sign * difference || a.operator.localeCompare(b.operator) || a.invoice_id.localeCompare(b.invoice_id)
    )
  }
}

/** Returns a page of the invoices that the viewer may see. */
export async function listInvoices(
  state: State,
  { viewer: { scope }, params: { region_id: regionId }, query, at }: ListCall,
) {
  await findRegion(state, scope, regionId)
  const today = await findToday(state.as(scope), regionId, at)
  const { rows, balances } = await listInvoiceRows(state.as(scope), scope, regionId, query.operator)
  const withdrawnIds = await findWithdrawnInvoices(state.as(scope), regionId, rows, balances)
  const { start_date: firstDay, end_date: lastDay, kind, status } = query
  const search = query.search?.toLowerCase()
  const items = rows
    .filter(
      (row) =>
        (kind === undefined || row.kind === kind) &&
        (firstDay === undefined || row.end_date >= firstDay) &&
        (lastDay === undefined || row.start_date <= lastDay) &&
        (!search || row.number?.toLowerCase().includes(search)),
    )
    .map((row) => summarize(row, balances.get(row.invoice_id), today, withdrawnIds.has(row.invoice_id)))
    .filter((invoice) => status === undefined || invoice.status === status)
    .toSorted(createComparison(query.order_by))
  const from = (query.page - 1) * query.size
  return {
    items: items.slice(from, from + query.size),
    total: items.length,
    page: query.page,
    size: query.size,
  }
}

/** Who sends an invoice to whom, with the terms. */
export type Parties = Pick<
  InvoiceSnapshot,
  'seller' | 'buyer' | 'remittance_text' | 'payment_terms_days' | 'language'
>

/** Returns seller, buyer, terms and language according to the settings. */
export const resolveParties = (
  settings: BillingSettings,
  payer: PayerSettings,
  names: { region: string; operator: string },
): Parties => ({
  seller: {
    name: settings.seller.name || names.region,
    address: settings.seller.address,
    tax_id: settings.seller.tax_id,
    contact: settings.seller.email,
  },
  buyer: {
    name: payer.legal_name || names.operator,
    address: payer.address,
    tax_id: payer.tax_id,
    contact: payer.contact,
  },
  remittance_text: settings.remittance_text,
  payment_terms_days: settings.payment_terms_days,
  language: payer.document_language ?? settings.document_language,
})

/** Finds the name of an operator or account; if it has none, a name made from its slug. */
export async function findPayerName(
  state: State,
  scope: Scope,
  regionId: string,
  slug: string,
): Promise<string> {
  const row = await state
    .as(scope)
    .selectFrom('operator')
    .select('name')
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row?.name ?? (await findAccount(state, scope, regionId, slug))?.name ?? getDefaultOperatorName(slug)
}

/** Returns the parties of a draft according to the current settings. */
export async function readCurrentParties(state: State, scope: Scope, row: InvoiceRow): Promise<Parties> {
  const { region_id: regionId, operator } = row
  const region = await findRegion(state, scope, regionId)
  return resolveParties(
    await findBillingSettings(state, scope, regionId),
    await findPayer(state.as(scope), regionId, operator),
    { region: region.text, operator: await findPayerName(state, scope, regionId, operator) },
  )
}

/** Finds the rates of imported policies in the period of a draft that are not charged. */
async function findUnchargedRates(
  state: State,
  scope: Scope,
  row: InvoiceRow,
  at: Date,
): Promise<UnchargedRate[]> {
  if (row.kind !== 'invoice' || row.status === 'issued') return []
  const region = await findRegion(state, scope, row.region_id)
  const span = {
    from: getDayStart(row.start_date, region.timezone),
    until: getDayEnd(row.end_date, region.timezone),
  }
  return listUnchargedRates(state, scope, region, { ...span, at })
}

/** Returns who took a step of an invoice, and when; null if nobody has. */
const toStep = (by: string | null, at: Date | null) => (by && at ? { by, at: at.toISOString() } : null)

/** Finds the credit notes of an invoice, oldest first. Only the city sees drafts. */
async function findCreditNotes(
  store: Store,
  { invoice_id: id, currency }: InvoiceRow,
  isCity: boolean,
): Promise<Invoice['credit_notes']> {
  let query = store
    .selectFrom('invoice')
    .select(['invoice_id', 'number', 'total'])
    .where('original_id', '=', id)
    .orderBy('created_time')
  if (!isCity) query = query.where('status', '=', 'issued')
  return (await query.execute()).map(({ invoice_id, number, total }) => ({
    invoice_id,
    number,
    total: formatSigned(total, currency),
  }))
}

/** Reads who prepared, approved and issued an invoice, and who confirmed its estimates. */
const readSteps = (row: InvoiceRow): Pick<Invoice, 'estimate' | 'prepared' | 'approved' | 'issued'> => ({
  estimate: row.estimate as Invoice['estimate'],
  prepared: toStep(row.prepared_by, row.prepared_time),
  approved: toStep(row.approved_by, row.approved_time),
  issued: toStep(row.issued_by, row.issued_time),
})
const noSteps = { estimate: null, prepared: null, approved: null, issued: null }

/** Reads an invoice with all its parts. Users of operators see neither names of city staff nor mails. */
export async function readInvoice(
  state: State,
  { viewer: { scope }, params, at }: InvoiceCall,
): Promise<Invoice> {
  const isCity = !scope.operators
  const store = state.as(scope)
  const row = await findInvoice(store, scope, params)
  const { invoice_id: id, region_id: regionId } = row
  const today = await findToday(state.as(scope), regionId, at)
  const balances = await findBalances(store, regionId, id)
  const withdrawnIds = await findWithdrawnInvoices(store, regionId, [row], balances)
  const document = await findDocument(store, row)
  const parties = document?.snapshot ?? (await readCurrentParties(state, scope, row))
  return {
    ...summarize(row, balances.get(id), today, withdrawnIds.has(id)),
    purchase_order: row.purchase_order,
    notes: row.notes,
    lines: parseLines(row),
    taxes: parseTaxes(row),
    seller: parties.seller,
    buyer: parties.buyer,
    remittance_text: parties.remittance_text,
    payment_terms_days: parties.payment_terms_days,
    language: parties.language,
    original: await findOriginal(store, row),
    method_version: row.method_version,
    version: row.version,
    as_of: row.as_of?.toISOString() ?? null,
    not_charged: await findUnchargedRates(state, scope, row, at),
    ...(isCity ? readSteps(row) : noSteps),
    facts: document?.snapshot.facts ?? null,
    snapshot_sha256: document?.snapshot_sha256 ?? null,
    pdf_sha256: document?.pdf_sha256 ?? null,
    credit_notes: await findCreditNotes(store, row, isCity),
    payments: await findPayments(store, regionId, [row], isCity),
    disputes: await readDisputes(store, scope, regionId, { invoiceId: id }),
    mails: isCity ? await findMails(store, id) : [],
  }
}
