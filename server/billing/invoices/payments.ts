import type { Selectable } from 'kysely'
import type * as contract from '#contract/invoice-payments.ts'
import type { Payment } from '#contract/invoice-payments.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call, WriteCall } from '#server/http/route.ts'
import { publishEvent } from '#server/notifications/events/publish-event.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { getOpenAmount } from './invoice-status.ts'
import {
  getActorEmail,
  findBalances,
  type InvoiceRow,
  formatSigned,
  toStatusInput,
  summaryColumns,
  selectVisibleInvoices,
} from './invoice-store.ts'
import { toMinorUnits } from './taxes.ts'

type PaymentRow = Selectable<StateTables['invoice_payment']>

/** What payments need of their invoice. */
export type PaidInvoice = Pick<InvoiceRow, 'invoice_id' | 'number' | 'operator' | 'currency'>

/** Converts a stored payment to that of the API. Only the city sees who recorded it. */
export const toPayment = (row: PaymentRow, invoice: PaidInvoice, isCity: boolean): Payment => ({
  payment_id: row.payment_id,
  invoice_id: row.invoice_id,
  number: invoice.number ?? '',
  operator: invoice.operator,
  date: row.date,
  amount: formatSigned(row.amount, invoice.currency),
  currency: invoice.currency,
  reference: row.reference,
  is_imported: row.import_key !== null,
  recorded_by: isCity ? row.recorded_by : '',
  recorded_time: row.recorded_time.toISOString(),
  is_void: row.voided_time !== null,
})

/** Finds the payments of invoices, oldest first. Only the city sees void payments. */
export async function findPayments(
  store: Store,
  regionId: string,
  invoices: readonly PaidInvoice[],
  isCity: boolean,
): Promise<Payment[]> {
  if (!invoices.length) return []
  let query = store
    .selectFrom('invoice_payment')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('date')
    .orderBy('recorded_time')
    .orderBy('payment_id')
  if (invoices.length === 1 && invoices[0]) query = query.where('invoice_id', '=', invoices[0].invoice_id)
  if (!isCity) query = query.where('voided_time', 'is', null)
  const invoicesById = new Map(invoices.map((invoice) => [invoice.invoice_id, invoice]))
  return (await query.execute()).flatMap((row) => {
    const invoice = invoicesById.get(row.invoice_id)
    return invoice ? [toPayment(row, invoice, isCity)] : []
  })
}

export async function listPayments(
  state: State,
  { viewer: { scope }, params: { region_id: regionId }, query }: Call<typeof contract.listPayments>,
) {
  const { page, size, operator, start_date: firstDay, end_date: lastDay } = query
  await findRegion(state, scope, regionId)
  const store = state.as(scope)
  const invoices = await selectVisibleInvoices(store, scope, regionId, operator)
    .select(['invoice_id', 'number', 'operator', 'currency'])
    .where('kind', '=', 'invoice')
    .execute()
  const items = (await findPayments(store, regionId, invoices, !scope.operators))
    .filter(({ date }) => firstDay === undefined || date >= firstDay)
    .filter(({ date }) => lastDay === undefined || date <= lastDay)
    .toReversed()
  return { items: items.slice((page - 1) * size, page * size), total: items.length, page, size }
}

/** Finds an issued invoice by its number; null if there is none, or if it is a credit note. */
export async function findByNumber(
  store: Store,
  scope: Scope,
  regionId: string,
  number: string,
): Promise<PaidInvoice | null> {
  const row = await selectVisibleInvoices(store, scope, regionId)
    .select(['invoice_id', 'number', 'operator', 'currency'])
    .where('number', '=', number)
    .where('kind', '=', 'invoice')
    .executeTakeFirst()
  return row ?? null
}

interface NewPayment {
  viewer: Viewer
  regionId: string
  invoice: PaidInvoice
  date: string
  /** In minor units. */
  amount: bigint
  reference: string
  /** Identifies the row of a file; null if a user entered the payment. */
  importKey: string | null
  at: Date
}

/** Stores a payment. Returns null if the same row of a file was imported before. */
export async function storePayment(store: Store, payment: NewPayment): Promise<Payment | null> {
  const { viewer, regionId, invoice, date, amount, reference, importKey, at } = payment
  const row = await store
    .insertInto('invoice_payment')
    .values({
      region_id: regionId,
      invoice_id: invoice.invoice_id,
      date,
      amount,
      reference,
      import_key: importKey,
      recorded_by: getActorEmail(viewer),
      recorded_time: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) return null
  await publishIfPaid(store, payment)
  return toPayment(row, invoice, true)
}

/** Publishes an event if this payment completes the payment of an invoice. */
async function publishIfPaid(store: Store, { regionId, invoice, amount, at }: NewPayment): Promise<void> {
  const { invoice_id, number, operator } = invoice
  const row = await store
    .selectFrom('invoice')
    .select(summaryColumns)
    .where('region_id', '=', regionId)
    .where('invoice_id', '=', invoice_id)
    .executeTakeFirstOrThrow()
  const openAmount = getOpenAmount(
    toStatusInput(row, (await findBalances(store, regionId, invoice_id)).get(invoice_id)),
  )
  const openAmountBefore = openAmount + amount
  if (openAmount > 0n || openAmountBefore <= 0n) return
  const data = { invoice_id, number, operator }
  await publishEvent(store, { type: 'invoice.paid', regionId, operator, data }, at)
}

/** Larger amounts, in minor units, are refused. */
const maxPaymentAmount = 10n ** 15n

/** Parses the amount of a payment into minor units. Returns an error message if it is not valid. */
export function parsePaymentAmount(text: string, currency: string): bigint | string {
  const amount = toMinorUnits(text, currency)
  if (amount === null) return `The amount has more digits than ${currency}.`
  if (amount <= 0n) return 'The amount must be above 0.'
  return amount > maxPaymentAmount ? 'The amount is too large.' : amount
}

/** Records a payment that a user entered. */
export async function recordPayment(
  state: State,
  { viewer, params: { region_id: regionId }, body, at }: WriteCall<typeof contract.recordPayment>,
): Promise<Payment> {
  const { number, date, amount: text, reference } = body
  const refuse = (field: string, message: string): Problem =>
    new Problem('validation_error', message, [{ path: `body.${field}`, message }])
  const store = state.as(viewer.scope)
  const invoice = await findByNumber(store, viewer.scope, regionId, number)
  if (!invoice) throw refuse('number', `There is no issued invoice '${number}'.`)
  const amount = parsePaymentAmount(text, invoice.currency)
  if (typeof amount === 'string') throw refuse('amount', amount)
  const payment = { viewer, regionId, invoice, date, amount, reference, importKey: null, at }
  const storedPayment = await storePayment(store, payment)
  if (!storedPayment) throw new Problem('conflict', 'The payment was not stored.')
  return storedPayment
}

/** Voids a payment. It remains listed, but no longer counts. */
export async function voidPayment(
  state: State,
  { viewer, params, at }: Call<typeof contract.voidPayment>,
): Promise<Payment> {
  const store = state.as(viewer.scope)
  const row = await store
    .updateTable('invoice_payment')
    .set({ voided_by: getActorEmail(viewer), voided_time: at })
    .where('region_id', '=', params.region_id)
    .where('payment_id', '=', params.payment_id)
    .where('voided_time', 'is', null)
    .returningAll()
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such payment, or it is void.'))
  const invoice = await store
    .selectFrom('invoice')
    .select(['invoice_id', 'number', 'operator', 'currency'])
    .where('invoice_id', '=', row.invoice_id)
    .executeTakeFirstOrThrow()
  return toPayment(row, invoice, true)
}
