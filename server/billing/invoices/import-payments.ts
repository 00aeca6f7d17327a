import { createHash } from 'node:crypto'
import Papa from 'papaparse'
import type * as contract from '#contract/invoice-payments.ts'
import { type InvoicePaymentImport, maxPaymentFileBytes } from '#contract/invoice-payments.ts'
import { DecimalText } from '#contract/fees.ts'
import { LocalDay } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { selectVisibleInvoices } from './invoice-store.ts'
import { type PaidInvoice, parsePaymentAmount, storePayment } from './payments.ts'
import { readBody } from './read-body.ts'

const columns = ['date', 'amount', 'reference'] as const
/** Longer references are cut off. */
const maxReferenceLength = 500
/** Longer files are refused. */
const maxRows = 50_000

interface PaymentRow {
  /** Line number in the file. */
  row: number
  date: string
  amount: string
  reference: string
}

/** Reads rows of a payment file with the columns date, amount and reference, in any order. */
export function readPaymentFile(text: string): PaymentRow[] {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: false })
  const [header = [], ...rows] = data
  const names = header.map((name) => name.trim().toLowerCase())
  const missing = columns.filter((name) => !names.includes(name))
  if (missing.length) {
    const message = `The file has no column ${missing.join(', ')}. It needs date, amount and reference.`
    throw new Problem('validation_error', message, [{ path: 'body', message }])
  }
  if (rows.length > maxRows) throw new Problem('too_large', `A file has at most ${maxRows} rows.`)
  const getCell = (row: readonly string[], name: (typeof columns)[number]): string =>
    (row[names.indexOf(name)] ?? '').trim()
  return rows.flatMap((row, index) =>
    row.every((text) => !text.trim())
      ? []
      : [
          {
            // Row 1 is the header.
            row: index + 2,
            date: getCell(row, 'date'),
            amount: getCell(row, 'amount'),
            reference: getCell(row, 'reference'),
          },
        ],
  )
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Finds the one invoice number that is a separate word of a reference, not part of a longer number. */
export function findNumber(reference: string, numbers: readonly string[]): string | 'none' | 'several' {
  const matching = numbers.filter(
    (number) =>
      reference.includes(number) &&
      new RegExp(`(?<![A-Za-z0-9_/.-])${escapeRegExp(number)}(?![A-Za-z0-9_/-])`).test(reference),
  )
  if (matching.length > 1) return 'several'
  return matching[0] ?? 'none'
}

/** Makes a key for each row, the same in each import: a hash of content and number of equal rows above. */
function makeImportKeys(rows: readonly PaymentRow[]): string[] {
  const counts = new Map<string, number>()
  return rows.map(({ date, amount, reference }) => {
    const content = JSON.stringify([date, amount, reference])
    const count = counts.get(content) ?? 0
    counts.set(content, count + 1)
    return createHash('sha256').update(`${content} ${count}`).digest('hex')
  })
}

/** Finds the issued invoices of a region that the Scope may see, by number. */
async function findIssuedByNumber(
  store: Store,
  scope: Scope,
  regionId: string,
): Promise<Map<string, PaidInvoice>> {
  const invoices = await selectVisibleInvoices(store, scope, regionId)
    .select(['invoice_id', 'number', 'operator', 'currency'])
    .where('kind', '=', 'invoice')
    .where('status', '=', 'issued')
    .execute()
  return new Map(invoices.map((invoice) => [invoice.number ?? '', invoice]))
}

type Refusal = Omit<InvoicePaymentImport['refused'][number], 'row'>

/** Finds the invoice that a row pays, and its amount in minor units; or why the row is refused. */
function readRow(
  { date, amount: text, reference }: PaymentRow,
  invoicesByNumber: ReadonlyMap<string, PaidInvoice>,
): { invoice: PaidInvoice; amount: bigint } | Refusal {
  const number = findNumber(reference, [...invoicesByNumber.keys()])
  const invoice = invoicesByNumber.get(number)
  if (!invoice) {
    const reason =
      number === 'several'
        ? 'The reference contains several invoice numbers.'
        : 'The reference contains no number of an issued invoice.'
    return { field: 'reference', reason }
  }
  if (!LocalDay.safeParse(date).success) return { field: 'date', reason: 'A day is written YYYY-MM-DD.' }
  if (!DecimalText.safeParse(text).success)
    return { field: 'amount', reason: 'The amount is not a decimal number.' }
  const amount = parsePaymentAmount(text, invoice.currency)
  return typeof amount === 'string' ? { field: 'amount', reason: amount } : { invoice, amount }
}

/** Records payments of a CSV file. Idempotent: rows that were imported before are listed as duplicates. */
export async function importPayments(
  state: State,
  { viewer, params: { region_id: regionId }, body, at }: Call<typeof contract.importPayments>,
): Promise<InvoicePaymentImport> {
  const bytes = await readBody(body, maxPaymentFileBytes, 'A file of payments has at most 5 MB.')
  const rows = readPaymentFile(bytes.toString('utf8'))
  const keys = makeImportKeys(rows)
  const store = state.as(viewer.scope)
  const invoicesByNumber = await findIssuedByNumber(store, viewer.scope, regionId)
  const result: InvoicePaymentImport = { rows: rows.length, added: [], duplicates: [], refused: [] }
  for (const [index, row] of rows.entries()) {
    const paymentOrRefusal = readRow(row, invoicesByNumber)
    if ('reason' in paymentOrRefusal) {
      result.refused.push({ row: row.row, ...paymentOrRefusal })
      continue
    }
    const payment = await storePayment(store, {
      viewer,
      regionId,
      ...paymentOrRefusal,
      date: row.date,
      reference: row.reference.slice(0, maxReferenceLength),
      importKey: keys[index] ?? null,
      at,
    })
    if (payment) result.added.push({ row: row.row, payment })
    else result.duplicates.push(row.row)
  }
  return result
}
