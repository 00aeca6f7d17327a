import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { createCreditNote as contract, InvoiceLine } from '#contract/invoices.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State, Store } from '#server/stores/state.ts'
import {
  actorOf,
  findIssued,
  type InvoiceRow,
  linesOf,
  minorLines,
  taxesOf,
  totalColumns,
} from './invoice-store.ts'
import { chargedBefore, listEarlier, revisionOf } from './earlier-invoices.ts'
import { amountText, computeCreditTotals, sumMinor, toMinorUnits } from './taxes.ts'

interface OfInvoice {
  region_id: string
  invoice_id: string
}

const problemOf = (path: string, message: string): Problem =>
  new Problem('validation_error', message, [{ path, message }])

/** Issued credit notes of an invoice. */
const listCreditNotes = (store: Store, invoiceId: string): Promise<InvoiceRow[]> =>
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

/** Lines of an invoice of which later invoices took something back, and how much of them is left. */
interface ReducedLines {
  lines: ReadonlySet<number>
  left: bigint
  /** -1 for discounts, which have negative amounts. */
  sign: bigint
}

/**
 * The fees of an invoice that later adjustments reduced. A line can still be credited, but all lines of such fees together only by what
 * was charged for them in the end.
 */
async function findReduced(store: Store, invoice: InvoiceRow): Promise<ReducedLines[]> {
  const { invoice_id: id, region_id: regionId, operator, currency } = invoice
  const earlier = await listEarlier(store, { regionId, operator }, currency)
  const own = linesOf(invoice)
  const targetOf = (line: InvoiceLine, invoiceId: string): string =>
    JSON.stringify([line.kind === 'adjustment' ? line.original?.invoice_id : invoiceId, revisionOf(line)])
  const minor = (line: InvoiceLine): bigint => toMinorUnits(line.amount, currency) ?? 0n
  return [...new Set(own.map((line) => targetOf(line, id)))].flatMap((key): ReducedLines[] => {
    const lines = own.filter((line) => targetOf(line, id) === key)
    const sign = sumMinor(lines.map(minor)) < 0n ? -1n : 1n
    const isReduced = earlier.invoices.some(
      (each) =>
        each.invoice_id !== id &&
        each.lines.some(
          (line) =>
            line.kind === 'adjustment' && targetOf(line, each.invoice_id) === key && sign * minor(line) < 0n,
        ),
    )
    if (!isReduced) return []
    const [target = '', revision = ''] = JSON.parse(key) as string[]
    const { left } = chargedBefore({ invoice_id: target }, revision, earlier, currency)
    return [{ lines: new Set(lines.map(({ line }) => line)), left, sign }]
  })
}

/** What is left of a line of an issued invoice. */
export async function findLineLeft(store: Store, invoice: InvoiceRow, number: number): Promise<bigint> {
  const line = linesOf(invoice).find((each) => each.line === number)
  if (!line) throw problemOf('body.line', `The invoice has no line ${number}.`)
  const own = lineLeft(line, await listCreditNotes(store, invoice.invoice_id), invoice.currency)
  const reduced = (await findReduced(store, invoice)).find(({ lines }) => lines.has(number))
  return reduced && reduced.sign * reduced.left < reduced.sign * own ? leftOf(reduced) : own
}

/** What can still be credited of reduced lines: nothing if more was taken back than was charged. */
const leftOf = ({ left, sign }: ReducedLines): bigint => (sign * left > 0n ? left : 0n)

const hasSameSign = (a: bigint, b: bigint): boolean => a < 0n === b < 0n
const isWithin = (amount: bigint, left: bigint): boolean =>
  amount !== 0n && hasSameSign(amount, left) && (left < 0n ? amount >= left : amount <= left)

interface Credit {
  line: InvoiceLine
  amount: bigint
}

/** The credits of an invoice in full, less what later adjustments took back already: from the last line on. */
function lessReductions(credits: readonly Credit[], reduced: readonly ReducedLines[]): Credit[] {
  const amounts = credits.map(({ amount }) => amount)
  for (const each of reduced) {
    const { lines, sign } = each
    const at = credits.flatMap(({ line }, index) => (lines.has(line.line) ? [index] : []))
    let over = sign * (sumMinor(at.map((index) => amounts[index] ?? 0n)) - leftOf(each))
    for (const index of at.toReversed()) {
      const size = sign * (amounts[index] ?? 0n)
      const less = over <= 0n || size <= 0n ? 0n : size < over ? size : over
      amounts[index] = sign * (size - less)
      over -= less
    }
  }
  return credits.flatMap(({ line }, index) => {
    const amount = amounts[index] ?? 0n
    return amount === 0n ? [] : [{ line, amount }]
  })
}

/** Throws if credits take back what later adjustments took back already. */
function requireNotReduced(
  credits: readonly Credit[],
  reduced: readonly ReducedLines[],
  pathOf: (line: number) => string,
): void {
  for (const each of reduced) {
    const own = credits.filter(({ line }) => each.lines.has(line.line))
    if (each.sign * sumMinor(own.map(({ amount }) => amount)) <= each.sign * leftOf(each)) continue
    const message = 'A later invoice adjusted these fees. The credit is more than what is left of them.'
    throw new Problem('conflict', message, [{ path: pathOf(own.at(-1)?.line.line ?? 0), message }])
  }
}

const exceeds = (path: string): Problem =>
  new Problem('conflict', 'The credit exceeds the remaining amount of the invoice.', [
    { path, message: 'The credit exceeds the remaining amount of the invoice.' },
  ])

type Credits = z.output<(typeof contract)['request']['body']>

/** Lines of a credit note: amounts with the opposite sign. */
function creditLines(
  invoice: InvoiceRow & { number: string },
  creditNotes: readonly InvoiceRow[],
  reduced: readonly ReducedLines[],
  credits: Credits['lines'],
): InvoiceLine[] {
  const { currency } = invoice
  const lines = linesOf(invoice)
  const isAll = credits.length === 0
  const wanted = isAll ? lines.map(({ line }) => ({ line, amount: null })) : credits
  const seen = new Set<number>()
  const found = wanted.flatMap(({ line: number, amount: text }, index) => {
    const path = `body.lines.${index}`
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
  if (!isAll)
    requireNotReduced(
      found,
      reduced,
      (number) => `body.lines.${wanted.findIndex(({ line }) => line === number)}.amount`,
    )
  return (isAll ? lessReductions(found, reduced) : found).map(({ line, amount }, index) => ({
    ...line,
    line: index + 1,
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
  store: Store,
  viewer: Viewer,
  params: OfInvoice,
  { notes, lines: credits }: Credits,
  at: Date,
): Promise<OfInvoice> {
  const invoice = await findIssued(store, viewer.scope, params)
  if (invoice.kind !== 'invoice') throw new Problem('conflict', 'A credit note cannot be credited.')
  const creditNotes = await listCreditNotes(store, invoice.invoice_id)
  const lines = creditLines(invoice, creditNotes, await findReduced(store, invoice), credits)
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
export async function requireCreditable(within: Store, draft: InvoiceRow): Promise<void> {
  const invoice = await within
    .selectFrom('invoice')
    .selectAll()
    .where('invoice_id', '=', draft.original_id)
    .executeTakeFirstOrThrow()
  const creditNotes = await listCreditNotes(within, invoice.invoice_id)
  const lines = linesOf(draft)
  const credits = lines.map((line): Credit => {
    const original = linesOf(invoice).find((each) => each.line === line.original?.line)
    const amount = -(toMinorUnits(line.amount, draft.currency) ?? 0n)
    if (!original || !isWithin(amount, lineLeft(original, creditNotes, draft.currency)))
      throw exceeds('lines')
    return { line: original, amount }
  })
  requireNotReduced(credits, await findReduced(within, invoice), () => 'lines')
  const totals = creditTotals(invoice, creditNotes, lines)
  if (totals.total !== BigInt(draft.total))
    throw new Problem(
      'conflict',
      'Another credit note changed what is left of the taxes. Delete this draft and draft it again.',
    )
}
