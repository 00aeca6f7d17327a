import { createHash } from 'node:crypto'
import Papa from 'papaparse'
import { maxPaymentFileBytes, type InvoicePaymentImport } from '#contract/invoice-payments.ts'
import type { NodeReadable } from '#contract/endpoint.ts'
import { DecimalText } from '#contract/fees.ts'
import { LocalDay } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import { visibleInvoices } from './invoice-store.ts'
import { parsePaymentAmount, storePayment } from './payments.ts'
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
  const cell = (row: readonly string[], name: (typeof columns)[number]): string =>
    (row[names.indexOf(name)] ?? '').trim()
  return rows.flatMap((row, index) =>
    row.every((each) => !each.trim())
      ? []
      : [
          {
            row: index + 2,
            date: cell(row, 'date'),
            amount: cell(row, 'amount'),
            reference: cell(row, 'reference'),
          },
        ],
  )
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The one invoice number that a reference contains as a separate word, not as part of a longer number. */
export function findNumber(reference: string, numbers: readonly string[]): string | 'none' | 'several' {
  const matching = numbers.filter(
    (number) =>
      reference.includes(number) &&
      new RegExp(`(?<![A-Za-z0-9_/.-])${escapeRegExp(number)}(?![A-Za-z0-9_/-])`).test(reference),
  )
  return matching.length === 1 ? (matching[0] as string) : matching.length ? 'several' : 'none'
}

/** Keys of rows: a hash of the content and of the number of equal rows before it. */
function importKeys(rows: readonly PaymentRow[]): string[] {
  const counts = new Map<string, number>()
  return rows.map(({ date, amount, reference }) => {
    const content = JSON.stringify([date, amount, reference])
    const count = counts.get(content) ?? 0
    counts.set(content, count + 1)
    return createHash('sha256').update(`${content} ${count}`).digest('hex')
  })
}

/** Records the payments of a CSV file. Idempotent. */
export async function importPayments(
  state: State,
  viewer: Viewer,
  { region_id: regionId }: { region_id: string },
  body: NodeReadable,
  at: Date,
): Promise<InvoicePaymentImport> {
  const text = (await readBody(body, maxPaymentFileBytes, 'A file of payments has at most 5 MB.')).toString(
    'utf8',
  )
  const rows = readPaymentFile(text)
  const keys = importKeys(rows)
  const store = state.as(viewer.scope)
  const invoices = await visibleInvoices(store, viewer.scope, regionId)
    .select(['invoice_id', 'number', 'operator', 'currency'])
    .where('kind', '=', 'invoice')
    .where('status', '=', 'issued')
    .execute()
  const byNumber = new Map(invoices.map((invoice) => [invoice.number ?? '', invoice]))
  const numbers = [...byNumber.keys()]
  const result: InvoicePaymentImport = { rows: rows.length, added: [], duplicates: [], refused: [] }
  for (const [index, { row, date, amount: amountCell, reference }] of rows.entries()) {
    const refuse = (field: string, reason: string): void => void result.refused.push({ row, field, reason })
    const number = findNumber(reference, numbers)
    const invoice = byNumber.get(number)
    if (!invoice) {
      refuse(
        'reference',
        number === 'several'
          ? 'The reference contains several invoice numbers.'
          : 'The reference contains no number of an issued invoice.',
      )
      continue
    }
    if (!LocalDay.safeParse(date).success) {
      refuse('date', 'A day is written YYYY-MM-DD.')
      continue
    }
    const isDecimal = DecimalText.safeParse(amountCell).success
    const amount = isDecimal
      ? parsePaymentAmount(amountCell, invoice.currency)
      : 'The amount is not a decimal number.'
    if (typeof amount === 'string') {
      refuse('amount', amount)
      continue
    }
    const payment = await storePayment(
      store,
      viewer,
      {
        regionId,
        invoice,
        date,
        amount,
        reference: reference.slice(0, maxReferenceLength),
        importKey: keys[index] ?? null,
      },
      at,
    )
    if (payment) result.added.push({ row, payment })
    else result.duplicates.push(row)
  }
  return result
}
