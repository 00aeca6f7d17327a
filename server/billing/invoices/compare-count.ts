import { maxCountRows, type CountComparison } from '#contract/invoice-counts.ts'
import type { InvoiceLine } from '#contract/invoices.ts'
import { Problem } from '#server/http/problem.ts'
import { minorText, Rational, sumOf } from '../rational.ts'
import { amountText, sumMinor, toMinorUnits } from './taxes.ts'

/** A row as it was typed or read from a file. */
export interface FigureRow {
  /** Line of the file, or position from 1. */
  row: number
  fee: string
  quantity: string
  amount: string
}

/** What an operator counted for some lines of its invoice. */
export interface CountedFigure {
  row: number
  fee: string
  lines: number[]
  quantity: string | null
  amount: string | null
}

const decimal = /^-?\d{1,15}(\.\d{1,9})?$/
/** More are not listed. */
const maxIssues = 100

const nameOf = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()

/** The lines that a row names: by number, by description, or all fees of a policy. */
function linesNamed(lines: readonly InvoiceLine[], fee: string): InvoiceLine[] {
  const name = nameOf(fee)
  if (/^\d+$/.test(name)) return lines.filter(({ line }) => line === Number(name))
  const described = lines.filter(
    ({ policy_name: policy, description }) =>
      nameOf(description) === name || nameOf(`${policy}: ${description}`) === name,
  )
  return described.length
    ? described
    : lines.filter(({ kind, policy_name: policy }) => kind === 'fee' && nameOf(policy) === name)
}

const unitOf = (lines: readonly InvoiceLine[]): string | null => {
  const units = new Set(lines.map(({ unit }) => unit))
  return units.size === 1 ? ([...units][0] ?? '') : null
}

/** Finds the lines of rows. Throws a Problem that names each row that cannot be compared, and why. */
export function matchFigures(
  lines: readonly InvoiceLine[],
  rows: readonly FigureRow[],
  currency: string,
): CountedFigure[] {
  const issues: { path: string; message: string }[] = []
  const countedIn = new Map<number, number>()
  const figures = rows.map(({ row, fee, quantity, amount }, index): CountedFigure => {
    const refuse = (field: 'fee' | 'quantity' | 'amount', reason: string): void =>
      void issues.push({ path: `body.rows.${index}.${field}`, message: `Row ${row}: ${reason}` })
    const found = linesNamed(lines, fee)
    if (fee === '') refuse('fee', 'It names no fee, line or policy.')
    else if (!found.length) refuse('fee', `There is no fee, line or policy '${fee}' on this invoice.`)
    const twice = found.find(({ line }) => countedIn.has(line))
    if (twice) refuse('fee', `Line ${twice.line} is counted in row ${countedIn.get(twice.line)} already.`)
    for (const { line } of found) if (!countedIn.has(line)) countedIn.set(line, row)
    if (quantity === '' && amount === '') refuse('amount', 'It has neither a quantity nor an amount.')
    if (quantity !== '' && !decimal.test(quantity))
      refuse('quantity', `The quantity '${quantity}' is not a decimal number such as 1234.5.`)
    else if (quantity !== '' && found.length && unitOf(found) === null)
      refuse('quantity', 'Its lines have different units. Count each line, or leave the quantity empty.')
    if (amount !== '' && !decimal.test(amount))
      refuse('amount', `The amount '${amount}' is not a decimal number such as 1234.50.`)
    else if (amount !== '' && toMinorUnits(amount, currency) === null)
      refuse('amount', `The amount '${amount}' has more digits than ${currency}.`)
    return {
      row,
      fee,
      lines: found.map(({ line }) => line),
      quantity: quantity || null,
      amount: amount || null,
    }
  })
  if (issues.length) {
    const count = new Set(issues.map(({ path }) => path.split('.')[2])).size
    throw new Problem(
      'validation_error',
      `${count === 1 ? 'A row' : `${count} rows`} cannot be compared, so nothing was stored. ${issues[0]?.message}`,
      issues.slice(0, maxIssues),
    )
  }
  return figures
}

/** Number of digits after the point. */
const digitsOf = (text: string): number => text.split('.')[1]?.length ?? 0

function compareFigure(
  lines: readonly InvoiceLine[],
  { row, fee, quantity, amount }: Omit<CountedFigure, 'row' | 'lines'> & { row: number | null },
  currency: string,
): CountComparison {
  const unit = unitOf(lines)
  const ownQuantity = unit === null ? null : sumOf(lines.map((line) => Rational.of(line.quantity)))
  const ownAmount = sumMinor(lines.map((line) => toMinorUnits(line.amount, currency) ?? 0n))
  const digits = digitsOf(quantity ?? '')
  const less =
    quantity === null || ownQuantity === null
      ? null
      : Rational.of(quantity).rounded(digits) - ownQuantity.rounded(digits)
  const lessAmount = amount === null ? null : (toMinorUnits(amount, currency) ?? 0n) - ownAmount
  return {
    row,
    fee,
    lines: lines.map(({ line }) => line),
    unit: unit ?? '',
    invoiced: { quantity: ownQuantity?.text() ?? null, amount: amountText(ownAmount, currency) },
    counted: { quantity, amount: amount === null ? null : minorAmount(amount, currency) },
    difference: {
      quantity: less === null ? null : minorText(less, digits),
      amount: lessAmount === null ? null : amountText(lessAmount, currency),
    },
    is_equal: row !== null && lines.length > 0 && (less ?? 0n) === 0n && (lessAmount ?? 0n) === 0n,
  }
}

/** What a line charges, whatever its number is. */
const chargedBy = (line: InvoiceLine): string =>
  JSON.stringify([
    line.kind,
    line.policy_uuid ?? line.charge_id,
    line.original?.invoice_id,
    line.description,
    line.unit,
    line.unit_price,
    line.start_date,
  ])

/** Figures with the numbers that their lines have after these were computed again. A figure may have none left. */
export function moveFigures(
  before: readonly InvoiceLine[],
  lines: readonly InvoiceLine[],
  figures: readonly CountedFigure[],
): CountedFigure[] {
  const numbers = new Map(lines.map((line) => [chargedBy(line), line.line]))
  const moved = new Map(before.map((line) => [line.line, numbers.get(chargedBy(line))]))
  return figures.map((figure) => ({
    ...figure,
    lines: figure.lines.flatMap((line) => moved.get(line) ?? []),
  }))
}

const minorAmount = (text: string, currency: string): string =>
  amountText(toMinorUnits(text, currency) ?? 0n, currency)

/** The lines of an invoice beside figures, in the order of the lines; those without a figure too. */
export function compareFigures(
  lines: readonly InvoiceLine[],
  figures: readonly CountedFigure[],
  currency: string,
): CountComparison[] {
  const counted = new Set(figures.flatMap((figure) => figure.lines))
  return [
    ...figures.map((figure) =>
      compareFigure(
        lines.filter(({ line }) => figure.lines.includes(line)),
        figure,
        currency,
      ),
    ),
    ...lines
      .filter(({ line }) => !counted.has(line))
      .map((line) =>
        compareFigure([line], { row: null, fee: line.description, quantity: null, amount: null }, currency),
      ),
  ].toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0))
}

const nameColumns = ['line', 'fee', 'policy'] as const

/** Rows of a CSV file with a header: `line`, `fee` or `policy`, and `quantity`, `amount` or both, in any order. */
export function readFigures(data: readonly (readonly string[])[]): FigureRow[] {
  const [header = [], ...rows] = data
  const columns = header.map((name) => name.trim().toLowerCase())
  const refuse = (message: string): Problem =>
    new Problem('validation_error', message, [{ path: 'body', message }])
  if (!nameColumns.some((name) => columns.includes(name)))
    throw refuse('The file has no column fee, line or policy in its first row.')
  if (!columns.includes('quantity') && !columns.includes('amount'))
    throw refuse('The file has neither a column quantity nor a column amount in its first row.')
  if (rows.length > maxCountRows) throw refuse(`A file has at most ${maxCountRows} rows.`)
  const cell = (row: readonly string[], name: string): string =>
    columns.includes(name) ? (row[columns.indexOf(name)] ?? '').trim() : ''
  const found = rows.flatMap((row, index) =>
    row.every((each) => !each.trim())
      ? []
      : [
          {
            row: index + 2,
            fee: (nameColumns.map((name) => cell(row, name)).find(Boolean) ?? '').slice(0, 300),
            quantity: cell(row, 'quantity'),
            amount: cell(row, 'amount'),
          },
        ],
  )
  if (!found.length) throw refuse('The file has no rows below its header.')
  return found
}
