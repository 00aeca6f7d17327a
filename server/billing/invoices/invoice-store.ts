import type { Selectable } from 'kysely'
import { InvoiceLine, InvoiceSnapshot, InvoiceTax } from '#contract/invoices.ts'
import { type LocalDay, localDay } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { canReadOperator, type Scope } from '#server/stores/scope.ts'
import type { Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { StatusInput } from './invoice-status.ts'
import { formatAmount, toMinorUnits } from './taxes.ts'

/** A stored invoice or credit note; amounts are in minor units. */
export type InvoiceRow = Selectable<StateTables['invoice']>

/** The ids of an invoice in the path of a request. */
export interface InvoiceParams {
  region_id: string
  invoice_id: string
}

/** A request about an invoice, without query and body. */
export interface InvoiceCall {
  viewer: Viewer
  params: InvoiceParams
  at: Date
}

/** All columns of a list of invoices; `lines` may be large and is not one of them. */
export const summaryColumns = [
  'invoice_id',
  'region_id',
  'kind',
  'operator',
  'start_date',
  'end_date',
  'currency',
  'status',
  'original_id',
  'net',
  'tax',
  'total',
  'has_estimate',
  'due_date',
  'created_time',
  'number',
  'issue_date',
] as const

export type SummaryRow = Pick<InvoiceRow, (typeof summaryColumns)[number]>

/** Payments, credits, disputes and mails of an invoice, in minor units. */
export interface Balance {
  paid: bigint
  credited: bigint
  disputed: bigint
  isSent: boolean
}

const noBalance: Balance = { paid: 0n, credited: 0n, disputed: 0n, isSent: false }

/** Returns the e-mail address of the acting user: under impersonation, that of the administrator. */
export const getActorEmail = (viewer: Pick<Viewer, 'email' | 'admin'>): string =>
  viewer.admin?.email ?? viewer.email

/** Returns operators with visible invoices: the requested one, or all of the Scope. Null means no limit. */
function getVisibleOperators(scope: Scope, operator?: string): readonly string[] | null {
  if (operator === undefined) return scope.operators
  return canReadOperator(scope, operator) ? [operator] : []
}

/** Selects the invoices that the Scope may see. Users of operators see only what was issued to them. */
export function selectVisibleInvoices(store: Store, scope: Scope, regionId: string, operator?: string) {
  let query = store.selectFrom('invoice').where('invoice.region_id', '=', regionId)
  const operators = getVisibleOperators(scope, operator)
  if (operators) query = query.where('invoice.operator', 'in', operators.length ? operators : [''])
  if (scope.operators) query = query.where('invoice.status', '=', 'issued')
  return query
}

/** Lists invoices with their balances, without lines. */
export async function listInvoiceRows(
  store: Store,
  scope: Scope,
  regionId: string,
  operator?: string,
): Promise<{ rows: SummaryRow[]; balances: ReadonlyMap<string, Balance> }> {
  const rows = await selectVisibleInvoices(store, scope, regionId, operator).select(summaryColumns).execute()
  return {
    rows,
    balances: await findBalances(store, regionId, rows.length === 1 ? rows[0]?.invoice_id : undefined),
  }
}

/** Finds balances by invoice. Invoices without payments, credits, disputes and mails are absent. */
export async function findBalances(
  store: Store,
  regionId: string,
  invoiceId?: string,
): Promise<ReadonlyMap<string, Balance>> {
  let payments = store
    .selectFrom('invoice_payment')
    .select(({ fn }) => ['invoice_id', fn.sum<string>('amount').as('sum')])
    .where('region_id', '=', regionId)
    .where('voided_time', 'is', null)
    .groupBy('invoice_id')
  let credits = store
    .selectFrom('invoice')
    .select(({ fn }) => ['original_id as invoice_id', fn.sum<string>('total').as('sum')])
    .where('region_id', '=', regionId)
    .where('kind', '=', 'credit_note')
    .where('status', '=', 'issued')
    .groupBy('original_id')
  let disputes = store
    .selectFrom('invoice_dispute')
    .select(({ fn }) => ['invoice_id', fn.sum<string>('amount').as('sum')])
    .where('region_id', '=', regionId)
    .where('state', '=', 'open')
    .groupBy('invoice_id')
  let mails = store
    .selectFrom('invoice_mail')
    .select('invoice_id')
    .distinct()
    .where('region_id', '=', regionId)
    .where('state', '=', 'sent')
  if (invoiceId !== undefined) {
    payments = payments.where('invoice_id', '=', invoiceId)
    credits = credits.where('original_id', '=', invoiceId)
    disputes = disputes.where('invoice_id', '=', invoiceId)
    mails = mails.where('invoice_id', '=', invoiceId)
  }
  const balances = new Map<string, Balance>()
  const setFields = (id: string | null, fields: Partial<Balance>): void => {
    if (id !== null) balances.set(id, { ...noBalance, ...balances.get(id), ...fields })
  }
  for (const { invoice_id: id, sum } of await payments.execute()) setFields(id, { paid: BigInt(sum) })
  // Totals of credit notes are negative.
  for (const { invoice_id: id, sum } of await credits.execute()) setFields(id, { credited: -BigInt(sum) })
  for (const { invoice_id: id, sum } of await disputes.execute()) setFields(id, { disputed: BigInt(sum) })
  for (const { invoice_id: id } of await mails.execute()) setFields(id, { isSent: true })
  return balances
}

/** Assembles the inputs of an invoice's status. */
export const toStatusInput = (
  row: SummaryRow,
  balance: Balance = noBalance,
  isWithdrawn = false,
): StatusInput => ({
  kind: row.kind as StatusInput['kind'],
  status: row.status as StatusInput['status'],
  total: BigInt(row.total),
  dueDate: row.due_date,
  ...balance,
  isWithdrawn,
})

/** Finds an invoice that the Scope may see. @param lock Locks the row until the caller's transaction ends. */
export async function findInvoice(
  store: Store,
  scope: Scope,
  { region_id: regionId, invoice_id: invoiceId }: InvoiceParams,
  lock = false,
): Promise<InvoiceRow> {
  let query = selectVisibleInvoices(store, scope, regionId).selectAll().where('invoice_id', '=', invoiceId)
  if (lock) query = query.forUpdate()
  return query.executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such invoice.'))
}

/** Finds an issued invoice. @throws Problem if it is a draft. */
export async function findIssued(
  store: Store,
  scope: Scope,
  params: InvoiceParams,
): Promise<InvoiceRow & { number: string; issue_date: string; due_date: string }> {
  const { number, issue_date, due_date, ...row } = await findInvoice(store, scope, params)
  if (number === null || issue_date === null || due_date === null)
    throw new Problem('conflict', 'This invoice has not been issued yet.')
  return { ...row, number, issue_date, due_date }
}

/** Finds a draft. @throws Problem if it was issued. */
export async function findDraft(
  store: Store,
  scope: Scope,
  params: InvoiceParams,
  lock = false,
): Promise<InvoiceRow> {
  const row = await findInvoice(store, scope, params, lock)
  if (row.status === 'issued')
    throw new Problem('conflict', 'An issued invoice never changes. Correct it with a credit note.')
  return row
}

/** Finds the invoice that a credit note corrects; null for invoices. */
export async function findOriginal(
  store: Store,
  { original_id: id }: Pick<InvoiceRow, 'original_id'>,
): Promise<InvoiceSnapshot['original']> {
  if (!id) return null
  const row = await store
    .selectFrom('invoice')
    .select(['invoice_id', 'number'])
    .where('invoice_id', '=', id)
    .executeTakeFirst()
  return row ? { invoice_id: row.invoice_id, number: row.number ?? '' } : null
}

export const parseLines = (row: Pick<InvoiceRow, 'lines'>): InvoiceLine[] =>
  InvoiceLine.array().parse(row.lines)
export const parseTaxes = (row: Pick<InvoiceRow, 'taxes'>): InvoiceTax[] =>
  InvoiceTax.array().parse(row.taxes)

/** Converts the amounts of lines to minor units. */
export const toMinorLines = <Line extends { amount: string; tax_code: string | null }>(
  lines: readonly Line[],
  currency: string,
): (Omit<Line, 'amount'> & { amount: bigint })[] =>
  lines.map((line) => {
    const amount = toMinorUnits(line.amount, currency)
    if (amount === null) throw new RangeError(`${line.amount} has too many digits for ${currency}`)
    return { ...line, amount }
  })

/** Returns the column values for the lines and totals of an invoice. */
export const getTotalColumns = ({
  lines,
  taxes,
  net,
  tax,
  total,
}: {
  lines: readonly InvoiceLine[]
  taxes: readonly InvoiceTax[]
  net: bigint
  tax: bigint
  total: bigint
}) => ({
  lines: JSON.stringify(lines),
  taxes: JSON.stringify(taxes),
  net,
  tax,
  total,
  has_estimate: lines.some((line) => line.is_estimate),
})

export async function findToday(store: Store, regionId: string, at: Date): Promise<LocalDay> {
  const row = await store
    .selectFrom('region')
    .select('timezone')
    .where('region_id', '=', regionId)
    .executeTakeFirstOrThrow(() => new Problem('not_found', `There is no region '${regionId}'.`))
  return localDay(at, row.timezone)
}

/** Returns a stored amount in minor units as decimal text. */
export const formatSigned = (minor: string | bigint, currency: string): string =>
  formatAmount(BigInt(minor), currency)

/** Finds the issued document with its hashes; undefined for drafts. */
export async function findDocument(store: Store, { invoice_id: invoiceId }: Pick<InvoiceRow, 'invoice_id'>) {
  const row = await store
    .selectFrom('invoice_document')
    .select(['snapshot', 'snapshot_sha256', 'pdf_sha256'])
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirst()
  return row && { ...row, snapshot: InvoiceSnapshot.parse(JSON.parse(row.snapshot)) }
}

/** Finds the snapshot of an issued invoice. @throws Problem for drafts. */
export async function findSnapshot(
  store: Store,
  row: Pick<InvoiceRow, 'invoice_id'>,
): Promise<{ snapshot: InvoiceSnapshot; snapshot_sha256: string; pdf_sha256: string }> {
  const document = await findDocument(store, row)
  if (!document) throw new Problem('conflict', 'This invoice has not been issued yet.')
  return document
}
