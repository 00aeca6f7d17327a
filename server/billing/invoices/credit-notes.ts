import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { createCreditNote as contract, InvoiceLine } from '#contract/invoices.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import {
  actorOf,
  findIssued,
  type InvoiceRow,
  type InvoiceStore,
  linesOf,
  minorLines,
  taxesOf,
  totalColumns,
} from './invoice-store.ts'
import { amountText, computeCreditTotals, sumMinor, toMinorUnits } from './taxes.ts'

interface OfInvoice {
  region_id: string
  invoice_id: string
}

const problemOf = (path: string, message: string): Problem =>
  new Problem('validation_error', message, [{ path, message }])

/** Issued credit notes of an invoice. */
const listCreditNotes = (store: InvoiceStore, invoiceId: string): Promise<InvoiceRow[]> =>
  store
    .selectFrom('invoice')
    .selectAll()
    .where('original_id', '=', invoiceId)
    .where('kind', '=', 'credit_note')
    .where('status', '=', 'issued')
    .execute()

/** What is left of a line after the credit notes, in minor units. */
export function lineLeft(line: InvoiceLine, creditNotes: readonly InvoiceRow[], currency: string): bigint {
  const credits = creditNotes.flatMap((note) =>
    linesOf(note).filter((each) => each.original?.line === line.line),
  )
  return sumMinor([line, ...credits].map(({ amount }) => toMinorUnits(amount, currency) ?? 0n))
}

/** What is left of a line of an issued invoice. */
export async function findLineLeft(
  store: InvoiceStore,
  invoice: InvoiceRow,
  number: number,
): Promise<bigint> {
  const line = linesOf(invoice).find((each) => each.line === number)
  if (!line) throw problemOf('body.line', `The invoice has no line ${number}.`)
  return lineLeft(line, await listCreditNotes(store, invoice.invoice_id), invoice.currency)
}

const hasSameSign = (a: bigint, b: bigint): boolean => a < 0n === b < 0n
const isWithin = (amount: bigint, left: bigint): boolean =>
  amount !== 0n && hasSameSign(amount, left) && (left < 0n ? amount >= left : amount <= left)

const exceeds = (path: string): Problem =>
  new Problem('conflict', 'The credit is more than what is left of the invoice.', [
    { path, message: 'The credit is more than what is left of the invoice.' },
  ])

type Credits = z.output<(typeof contract)['ask']['body']>

/** Lines of a credit note: amounts with the opposite sign. */
function creditLines(
  invoice: InvoiceRow & { number: string },
  creditNotes: readonly InvoiceRow[],
  credits: Credits['lines'],
): InvoiceLine[] {
  const { currency } = invoice
  const lines = linesOf(invoice)
  const isAll = credits.length === 0
  const wanted = isAll ? lines.map(({ line }) => ({ line, amount: null })) : credits
  const seen = new Set<number>()
  return wanted
    .flatMap(({ line: number, amount: text }, at) => {
      const path = `body.lines.${at}`
      const line = lines.find((each) => each.line === number)
      if (!line) throw problemOf(`${path}.line`, `The invoice has no line ${number}.`)
      if (seen.has(number)) throw problemOf(`${path}.line`, `Line ${number} is named twice.`)
      seen.add(number)
      const left = lineLeft(line, creditNotes, currency)
      if (isAll && left === 0n) return []
      const amount = text === null ? left : toMinorUnits(text, currency)
      if (amount === null) throw problemOf(`${path}.amount`, `The amount has more digits than ${currency}.`)
      if (!isWithin(amount, left)) throw exceeds(`${path}.amount`)
      return [{ line, amount }]
    })
    .map(({ line, amount }, at) => ({
      ...line,
      line: at + 1,
      kind: 'credit' as const,
      quantity: '1',
      unit: 'credit',
      unit_price: null,
      amount: amountText(-amount, currency),
      days_without_data: [],
      is_estimate: false,
      original: { invoice_id: invoice.invoice_id, number: invoice.number, line: line.line },
      charged_before: null,
    }))
}

function creditTotals(
  invoice: InvoiceRow,
  creditNotes: readonly InvoiceRow[],
  lines: readonly InvoiceLine[],
) {
  const { currency } = invoice
  const totals = computeCreditTotals(
    minorLines(lines, currency),
    {
      lines: minorLines(linesOf(invoice), currency),
      taxes: taxesOf(invoice),
      creditNotes: creditNotes.map((note) => ({
        lines: minorLines(linesOf(note), currency),
        taxes: taxesOf(note),
      })),
    },
    currency,
  )
  const left = sumMinor([invoice, ...creditNotes].map(({ total }) => BigInt(total)))
  if (totals.total >= 0n) throw problemOf('body.lines', 'A credit note must lower its invoice.')
  if (-totals.total > left) throw exceeds('body.lines')
  return totals
}

/** Drafts a credit note of an issued invoice. Returns where it is. */
export async function draftCreditNote(
  store: InvoiceStore,
  viewer: Viewer,
  params: OfInvoice,
  { notes, lines: credits }: Credits,
  at: Date,
): Promise<OfInvoice> {
  const invoice = await findIssued(store, viewer.scope, params)
  if (invoice.kind !== 'invoice') throw new Problem('conflict', 'A credit note cannot be credited.')
  const creditNotes = await listCreditNotes(store, invoice.invoice_id)
  const lines = creditLines(invoice, creditNotes, credits)
  if (!lines.length) throw exceeds('body.lines')
  const totals = creditTotals(invoice, creditNotes, lines)
  const invoiceId = randomUUID()
  await store
    .insertInto('invoice')
    .values({
      invoice_id: invoiceId,
      region_id: invoice.region_id,
      kind: 'credit_note',
      operator: invoice.operator,
      start_date: invoice.start_date,
      end_date: invoice.end_date,
      currency: invoice.currency,
      status: 'draft',
      original_id: invoice.invoice_id,
      ...totalColumns({ lines, ...totals }),
      notes,
      purchase_order: invoice.purchase_order,
      method_version: invoice.method_version,
      as_of: invoice.as_of,
      created_time: at,
      prepared_by: actorOf(viewer),
      prepared_time: at,
    })
    .execute()
  return { region_id: invoice.region_id, invoice_id: invoiceId }
}

export const createCreditNote = (
  state: State,
  viewer: Viewer,
  params: OfInvoice,
  body: Credits,
  at: Date,
): Promise<OfInvoice> => draftCreditNote(state.as(viewer.scope), viewer, params, body, at)

/** Throws if a draft of a credit note is more than what is left of its invoice, or if its taxes would be others by now. */
export async function requireCreditable(within: InvoiceStore, draft: InvoiceRow): Promise<void> {
  const invoice = await within
    .selectFrom('invoice')
    .selectAll()
    .where('invoice_id', '=', draft.original_id)
    .executeTakeFirstOrThrow()
  const creditNotes = await listCreditNotes(within, invoice.invoice_id)
  const lines = linesOf(draft)
  for (const line of lines) {
    const original = linesOf(invoice).find((each) => each.line === line.original?.line)
    const amount = -(toMinorUnits(line.amount, draft.currency) ?? 0n)
    if (!original || !isWithin(amount, lineLeft(original, creditNotes, draft.currency)))
      throw exceeds('lines')
  }
  const totals = creditTotals(invoice, creditNotes, lines)
  if (totals.total !== BigInt(draft.total))
    throw new Problem(
      'conflict',
      'Another credit note changed what is left of the taxes. Delete this draft and draft it again.',
    )
}
