import { randomUUID } from 'node:crypto'
import type * as contract from '#contract/invoices.ts'
import type { InvoiceLine } from '#contract/invoices.ts'
import { Problem } from '#server/http/problem.ts'
import type { WriteCall } from '#server/http/route.ts'
import type { State, Store } from '#server/stores/state.ts'
import {
  getActorEmail,
  findIssued,
  type InvoiceParams,
  type InvoiceRow,
  parseLines,
  toMinorLines,
  parseTaxes,
  getTotalColumns,
} from './invoice-store.ts'
import { computeChargedBefore, listEarlierDocuments, toRevisionKey } from './earlier-invoices.ts'
import { formatAmount, computeCreditTotals, sumMinor, toMinorUnits } from './taxes.ts'

const makeProblem = (path: string, message: string): Problem =>
  new Problem('validation_error', message, [{ path, message }])

const listCreditNotes = (store: Store, invoiceId: string): Promise<InvoiceRow[]> =>
  store
    .selectFrom('invoice')
    .selectAll()
    .where('original_id', '=', invoiceId)
    .where('kind', '=', 'credit_note')
    .where('status', '=', 'issued')
    .execute()

/** Returns the amount of a line after credit notes, in minor units. */
export function getRemainingAmount(
  line: InvoiceLine,
  creditNotes: readonly InvoiceRow[],
  currency: string,
): bigint {
  const credits = creditNotes.flatMap((note) =>
    parseLines(note).filter(({ original }) => original?.line === line.line),
  )
  return sumMinor([line, ...credits].map(({ amount }) => toMinorUnits(amount, currency) ?? 0n))
}

/** Lines of an invoice that later adjustments reduced. */
interface ReducedLines {
  lines: ReadonlySet<number>
  /** The sum that is left of them, in minor units. */
  left: bigint
  /** -1 for discounts, which have negative amounts. */
  sign: bigint
}

/**
 * Finds the fees of an invoice that later adjustments reduced. Each line can still be credited, but the
 * credits of all lines of such a fee may not exceed what was charged for it in the end.
 */
async function findReducedLines(store: Store, invoice: InvoiceRow): Promise<ReducedLines[]> {
  const { invoice_id: id, region_id: regionId, operator, currency } = invoice
  const earlier = await listEarlierDocuments(store, { regionId, operator }, currency)
  const invoiceLines = parseLines(invoice)
  const toFeeKey = (line: InvoiceLine, invoiceId: string): string =>
    JSON.stringify([line.kind === 'adjustment' ? line.original?.invoice_id : invoiceId, toRevisionKey(line)])
  const toAmount = (line: InvoiceLine): bigint => toMinorUnits(line.amount, currency) ?? 0n
  return [...new Set(invoiceLines.map((line) => toFeeKey(line, id)))].flatMap((key): ReducedLines[] => {
    const lines = invoiceLines.filter((line) => toFeeKey(line, id) === key)
    const sign = sumMinor(lines.map(toAmount)) < 0n ? -1n : 1n
    const isReduced = earlier.invoices.some(
      (later) =>
        later.invoice_id !== id &&
        later.lines.some(
          (line) =>
            line.kind === 'adjustment' &&
            toFeeKey(line, later.invoice_id) === key &&
            sign * toAmount(line) < 0n,
        ),
    )
    if (!isReduced) return []
    const [target = '', revision = ''] = JSON.parse(key) as string[]
    const { left } = computeChargedBefore({ invoice_id: target }, revision, earlier, currency)
    return [{ lines: new Set(lines.map(({ line }) => line)), left, sign }]
  })
}

/** Finds the creditable amount of a line of an issued invoice, in minor units. */
export async function findRemainingAmount(
  store: Store,
  invoice: InvoiceRow,
  lineNumber: number,
): Promise<bigint> {
  const line = parseLines(invoice).find((candidate) => candidate.line === lineNumber)
  if (!line) throw makeProblem('body.line', `The invoice has no line ${lineNumber}.`)
  const remaining = getRemainingAmount(
    line,
    await listCreditNotes(store, invoice.invoice_id),
    invoice.currency,
  )
  const reduced = (await findReducedLines(store, invoice)).find(({ lines }) => lines.has(lineNumber))
  return reduced && reduced.sign * reduced.left < reduced.sign * remaining
    ? getCreditableAmount(reduced)
    : remaining
}

/** Returns the creditable amount of reduced lines: 0 if adjustments exceed what was charged. */
const getCreditableAmount = ({ left, sign }: ReducedLines): bigint => (sign * left > 0n ? left : 0n)
const hasSameSign = (a: bigint, b: bigint): boolean => a < 0n === b < 0n
/** Whether an amount is not 0 and can be credited of what is left, which is negative for discounts. */
const isWithin = (amount: bigint, left: bigint): boolean =>
  amount !== 0n && hasSameSign(amount, left) && (left < 0n ? amount >= left : amount <= left)

/** The amount that is credited of a line of an invoice, in minor units. */
interface Credit {
  line: InvoiceLine
  amount: bigint
}

/** Reduces a full credit note by what later adjustments took back already, from the last line on. */
function subtractReductions(credits: readonly Credit[], reduced: readonly ReducedLines[]): Credit[] {
  const amounts = credits.map(({ amount }) => amount)
  for (const fee of reduced) {
    const { lines, sign } = fee
    const indices = credits.flatMap(({ line }, index) => (lines.has(line.line) ? [index] : []))
    let excess = sign * (sumMinor(indices.map((index) => amounts[index] ?? 0n)) - getCreditableAmount(fee))
    for (const index of indices.toReversed()) {
      const size = sign * (amounts[index] ?? 0n)
      if (excess <= 0n || size <= 0n) continue
      const reduction = size < excess ? size : excess
      amounts[index] = sign * (size - reduction)
      excess -= reduction
    }
  }
  return credits.flatMap(({ line }, index) => {
    const amount = amounts[index] ?? 0n
    return amount === 0n ? [] : [{ line, amount }]
  })
}

/** Throws if credits exceed what later adjustments left of the fees. */
function checkNotReduced(
  credits: readonly Credit[],
  reduced: readonly ReducedLines[],
  toPath: (line: number) => string,
): void {
  for (const fee of reduced) {
    const reducedCredits = credits.filter(({ line }) => fee.lines.has(line.line))
    const credited = sumMinor(reducedCredits.map(({ amount }) => amount))
    if (fee.sign * credited <= fee.sign * getCreditableAmount(fee)) continue
    const message = 'A later invoice adjusted these fees. The credit is more than what is left of them.'
    throw new Problem('conflict', message, [{ path: toPath(reducedCredits.at(-1)?.line.line ?? 0), message }])
  }
}

const makeExceedsProblem = (path: string): Problem =>
  new Problem('conflict', 'The credit exceeds the remaining amount of the invoice.', [
    { path, message: 'The credit exceeds the remaining amount of the invoice.' },
  ])

type CreditCall = WriteCall<typeof contract.createCreditNote>

/** Returns the lines of a credit note, with negated amounts. No requested credits means all that is left. */
function makeCreditLines(
  invoice: InvoiceRow & { number: string },
  creditNotes: readonly InvoiceRow[],
  reduced: readonly ReducedLines[],
  credits: CreditCall['body']['lines'],
): InvoiceLine[] {
  const { currency } = invoice
  const lines = parseLines(invoice)
  const isAll = credits.length === 0
  const requested = isAll ? lines.map(({ line }) => ({ line, amount: null })) : credits
  const seenLines = new Set<number>()
  const lineCredits = requested.flatMap(({ line: number, amount: text }, index) => {
    const path = `body.lines.${index}`
    const line = lines.find((candidate) => candidate.line === number)
    if (!line) throw makeProblem(`${path}.line`, `The invoice has no line ${number}.`)
    if (seenLines.has(number)) throw makeProblem(`${path}.line`, `Line ${number} is named twice.`)
    seenLines.add(number)
    const left = getRemainingAmount(line, creditNotes, currency)
    if (isAll && left === 0n) return []
    const amount = text === null ? left : toMinorUnits(text, currency)
    if (amount === null) throw makeProblem(`${path}.amount`, `The amount has more digits than ${currency}.`)
    if (!isWithin(amount, left)) throw makeExceedsProblem(`${path}.amount`)
    return [{ line, amount }]
  })
  if (!isAll)
    checkNotReduced(
      lineCredits,
      reduced,
      (number) => `body.lines.${requested.findIndex(({ line }) => line === number)}.amount`,
    )
  return (isAll ? subtractReductions(lineCredits, reduced) : lineCredits).map(({ line, amount }, index) => ({
    ...line,
    line: index + 1,
    kind: 'credit' as const,
    quantity: '1',
    unit: 'credit',
    unit_price: null,
    amount: formatAmount(-amount, currency),
    days_without_data: [],
    is_estimate: false,
    original: { invoice_id: invoice.invoice_id, number: invoice.number, line: line.line },
    charged_before: null,
  }))
}

/** Computes the totals of a credit note. @throws Problem if the invoice is not lowered, or too much. */
function computeNoteTotals(
  invoice: InvoiceRow,
  creditNotes: readonly InvoiceRow[],
  lines: readonly InvoiceLine[],
) {
  const { currency } = invoice
  const totals = computeCreditTotals(
    toMinorLines(lines, currency),
    {
      lines: toMinorLines(parseLines(invoice), currency),
      taxes: parseTaxes(invoice),
      creditNotes: creditNotes.map((note) => ({
        lines: toMinorLines(parseLines(note), currency),
        taxes: parseTaxes(note),
      })),
    },
    currency,
  )
  const left = sumMinor([invoice, ...creditNotes].map(({ total }) => BigInt(total)))
  if (totals.total >= 0n) throw makeProblem('body.lines', 'A credit note must lower its invoice.')
  if (-totals.total > left) throw makeExceedsProblem('body.lines')
  return totals
}

/** Drafts a credit note for an issued invoice. Returns the ids of the draft. */
export async function draftCreditNote(
  store: Store,
  { viewer, params, body: { notes, lines: credits }, at }: CreditCall,
): Promise<InvoiceParams> {
  const invoice = await findIssued(store, viewer.scope, params)
  if (invoice.kind !== 'invoice') throw new Problem('conflict', 'A credit note cannot be credited.')
  const creditNotes = await listCreditNotes(store, invoice.invoice_id)
  const lines = makeCreditLines(invoice, creditNotes, await findReducedLines(store, invoice), credits)
  if (!lines.length) throw makeExceedsProblem('body.lines')
  const totals = computeNoteTotals(invoice, creditNotes, lines)
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
      ...getTotalColumns({ lines, ...totals }),
      notes,
      purchase_order: invoice.purchase_order,
      method_version: invoice.method_version,
      as_of: invoice.as_of,
      created_time: at,
      prepared_by: getActorEmail(viewer),
      prepared_time: at,
    })
    .execute()
  return { region_id: invoice.region_id, invoice_id: invoiceId }
}

/** Creates a draft credit note and returns its id. */
export const createCreditNote = (state: State, call: CreditCall): Promise<InvoiceParams> =>
  draftCreditNote(state.as(call.viewer.scope), call)

/** Throws if a drafted credit note exceeds what is left of its invoice, or if its taxes have changed. */
export async function checkCreditable(transaction: Store, draft: InvoiceRow): Promise<void> {
  const invoice = await transaction
    .selectFrom('invoice')
    .selectAll()
    .where('invoice_id', '=', draft.original_id)
    .executeTakeFirstOrThrow()
  const creditNotes = await listCreditNotes(transaction, invoice.invoice_id)
  const lines = parseLines(draft)
  const credits = lines.map((line): Credit => {
    const original = parseLines(invoice).find((candidate) => candidate.line === line.original?.line)
    const amount = -(toMinorUnits(line.amount, draft.currency) ?? 0n)
    if (!original || !isWithin(amount, getRemainingAmount(original, creditNotes, draft.currency)))
      throw makeExceedsProblem('lines')
    return { line: original, amount }
  })
  checkNotReduced(credits, await findReducedLines(transaction, invoice), () => 'lines')
  const totals = computeNoteTotals(invoice, creditNotes, lines)
  if (totals.total !== BigInt(draft.total))
    throw new Problem(
      'conflict',
      'Another credit note changed what is left of the taxes. Delete this draft and draft it again.',
    )
}
