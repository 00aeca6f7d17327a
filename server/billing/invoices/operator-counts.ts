import type { Selectable } from 'kysely'
import Papa from 'papaparse'
import type { InvoiceLine } from '#contract/invoices.ts'
import type * as contract from '#contract/invoice-counts.ts'
import { maxCountFileBytes, type OperatorCount } from '#contract/invoice-counts.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call, WriteCall } from '#server/http/route.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import {
  compareFigures,
  type CountedFigure,
  type FigureRow,
  matchFigures,
  moveFigures,
  readFigures,
} from './compare-count.ts'
import { checkIsParty } from './disputes.ts'
import { getActorEmail, findInvoice, type InvoiceCall, type InvoiceRow, parseLines } from './invoice-store.ts'
import { readBody } from './read-body.ts'
import { formatAmount, sumMinor, toMinorUnits } from './taxes.ts'

/** Maximum number of counts of an invoice. Counts are immutable and removed with the invoice. */
const maxCounts = 100

/** Compares a stored count with the lines of its invoice. Sums include only lines with a counted amount. */
function readCount(
  row: Selectable<StateTables['invoice_count']>,
  invoice: InvoiceRow,
  scope: Scope,
): OperatorCount {
  const { currency } = invoice
  const comparison = compareFigures(parseLines(invoice), row.figures as CountedFigure[], currency)
  const withAmount = comparison.filter(({ counted }) => counted.amount !== null)
  const sumAmounts = (column: 'invoiced' | 'counted' | 'difference'): string =>
    formatAmount(
      sumMinor(withAmount.map((figure) => toMinorUnits(figure[column].amount ?? '0', currency) ?? 0n)),
      currency,
    )
  return {
    count_id: row.count_id,
    at: row.at.toISOString(),
    // Operators do not see names of the city's staff.
    by: scope.operators && !row.is_operator ? '' : row.by_email,
    is_operator: row.is_operator,
    file_name: row.file_name,
    comparison,
    invoiced: sumAmounts('invoiced'),
    counted: sumAmounts('counted'),
    difference: sumAmounts('difference'),
    is_equal: comparison.every((figure) => figure.is_equal),
  }
}

export async function listOperatorCounts(
  state: State,
  { viewer: { scope }, params }: Omit<InvoiceCall, 'at'>,
): Promise<{ items: OperatorCount[] }> {
  const store = state.as(scope)
  const invoice = await findInvoice(store, scope, params)
  const rows = await store
    .selectFrom('invoice_count')
    .selectAll()
    .where('invoice_id', '=', invoice.invoice_id)
    .orderBy('at', 'desc')
    .orderBy('count_id')
    .execute()
  return { items: rows.map((row) => readCount(row, invoice, scope)) }
}

/** Stores an operator's figures for an invoice, either all or none. */
async function storeCount(
  state: State,
  { viewer, params, at }: InvoiceCall,
  { rows, fileName }: { rows: readonly FigureRow[]; fileName: string | null },
): Promise<OperatorCount> {
  const { scope } = viewer
  const store = state.as(scope)
  const invoice = await findInvoice(store, scope, params)
  if (invoice.kind !== 'invoice')
    throw new Problem('conflict', 'Counts are compared with invoices, not with credit notes.')
  const figures = matchFigures(parseLines(invoice), rows, invoice.currency)
  const { items } = await listOperatorCounts(state, { viewer, params })
  if (items.length >= maxCounts) throw new Problem('conflict', `An invoice has at most ${maxCounts} counts.`)
  const row = await store
    .insertInto('invoice_count')
    .values({
      region_id: invoice.region_id,
      invoice_id: invoice.invoice_id,
      at,
      by_email: getActorEmail(viewer),
      is_operator: scope.operators !== null,
      file_name: fileName,
      figures: JSON.stringify(figures),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return readCount(row, invoice, scope)
}

/** Updates the line numbers in the counts of a draft after its lines were recomputed. */
export async function moveCounts(
  store: Store,
  oldInvoice: InvoiceRow,
  newLines: readonly InvoiceLine[],
): Promise<void> {
  const rows = await store
    .selectFrom('invoice_count')
    .select(['count_id', 'figures'])
    .where('invoice_id', '=', oldInvoice.invoice_id)
    .execute()
  for (const { count_id: id, figures } of rows)
    await store
      .updateTable('invoice_count')
      .set({
        figures: JSON.stringify(moveFigures(parseLines(oldInvoice), newLines, figures as CountedFigure[])),
      })
      .where('count_id', '=', id)
      .execute()
}

/** Stores figures that a user entered. */
export async function addOperatorCount(
  state: State,
  { viewer, params, body, at }: WriteCall<typeof contract.addOperatorCount>,
): Promise<OperatorCount> {
  checkIsParty(viewer)
  const rows = body.rows.map((row, index) => ({ ...row, row: index + 1 }))
  return storeCount(state, { viewer, params, at }, { rows, fileName: null })
}

/** Stores the figures of a CSV file. */
export async function importOperatorCount(
  state: State,
  { viewer, params, query, body, at }: Call<typeof contract.importOperatorCount>,
): Promise<OperatorCount> {
  checkIsParty(viewer)
  const text = (await readBody(body, maxCountFileBytes, 'A file of figures has at most 1 MB.')).toString(
    'utf8',
  )
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: false })
  return storeCount(state, { viewer, params, at }, { rows: readFigures(data), fileName: query.file_name })
}
