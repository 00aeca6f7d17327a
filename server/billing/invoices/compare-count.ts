import { maxCountRows, type CountComparison } from '#contract/invoice-counts.ts'
import type { InvoiceLine } from '#contract/invoices.ts'
import { Problem } from '#server/http/problem.ts'
import { formatMinor, Rational, sumRationals } from '../rational.ts'
import { formatAmount, sumMinor, toMinorUnits } from './taxes.ts'

/** A row of an operator's count, as entered or read from a file. Absent texts are empty. */
export interface FigureRow {
  /** Line number in the file, or position in the input, from 1. */
  row: number
  /** Line number, description of a line, or name of a policy. */
  fee: string
  quantity: string
  amount: string
}

/** An operator's own figures for some lines of its invoice. */
export interface CountedFigure {
  row: number
  fee: string
  lines: number[]
  quantity: string | null
  amount: string | null
}

const decimalPattern = /^-?\d{1,15}(\.\d{1,9})?$/
const maxFeeLength = 300
/** Maximum number of problems listed in an error. */
const maxListedProblems = 100
const normalizeName = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()

/** Finds the lines that a row refers to by number, by description, or by the policy of their fees. */
function findLines(lines: readonly InvoiceLine[], fee: string): InvoiceLine[] {
  const name = normalizeName(fee)
  if (/^\d+$/.test(name)) return lines.filter(({ line }) => line === Number(name))
  const linesByDescription = lines.filter(
    ({ policy_name: policy, description }) =>
      normalizeName(description) === name || normalizeName(`${policy}: ${description}`) === name,
  )
  return linesByDescription.length
    ? linesByDescription
    : lines.filter(({ kind, policy_name: policy }) => kind === 'fee' && normalizeName(policy) === name)
}

/** Returns the unit of lines; null if they have different units. */
const findCommonUnit = (lines: readonly InvoiceLine[]): string | null => {
  const units = new Set(lines.map(({ unit }) => unit))
  return units.size === 1 ? ([...units][0] ?? '') : null
}

/** Matches rows with lines. @throws Problem that lists each row that cannot be compared, with the reason. */
export function matchFigures(
  lines: readonly InvoiceLine[],
  rows: readonly FigureRow[],
  currency: string,
): CountedFigure[] {
  const problems: { path: string; message: string }[] = []
  const rowByLine = new Map<number, number>()
  const figures = rows.map(({ row, fee, quantity, amount }, index): CountedFigure => {
    const refuse = (field: 'fee' | 'quantity' | 'amount', reason: string): void =>
      void problems.push({ path: `body.rows.${index}.${field}`, message: `Row ${row}: ${reason}` })
    const matchedLines = findLines(lines, fee)
    if (fee === '') refuse('fee', 'It names no fee, line or policy.')
    else if (!matchedLines.length) refuse('fee', `There is no fee, line or policy '${fee}' on this invoice.`)
    const countedLine = matchedLines.find(({ line }) => rowByLine.has(line))?.line
    if (countedLine !== undefined)
      refuse('fee', `Line ${countedLine} is counted in row ${rowByLine.get(countedLine)} already.`)
    for (const { line } of matchedLines) if (!rowByLine.has(line)) rowByLine.set(line, row)
    if (quantity === '' && amount === '') refuse('amount', 'It has neither a quantity nor an amount.')
    if (quantity !== '' && !decimalPattern.test(quantity))
      refuse('quantity', `The quantity '${quantity}' is not a decimal number such as 1234.5.`)
    else if (quantity !== '' && matchedLines.length && findCommonUnit(matchedLines) === null)
      refuse('quantity', 'Its lines have different units. Count each line, or leave the quantity empty.')
    if (amount !== '' && !decimalPattern.test(amount))
      refuse('amount', `The amount '${amount}' is not a decimal number such as 1234.50.`)
    else if (amount !== '' && toMinorUnits(amount, currency) === null)
      refuse('amount', `The amount '${amount}' has more digits than ${currency}.`)
    return {
      row,
      fee,
      lines: matchedLines.map(({ line }) => line),
      quantity: quantity || null,
      amount: amount || null,
    }
  })
  if (problems.length) {
    // Paths are `body.rows.<index>.<field>`.
    const count = new Set(problems.map(({ path }) => path.split('.')[2])).size
    throw new Problem(
      'validation_error',
      `${count === 1 ? 'A row' : `${count} rows`} cannot be compared, so nothing was stored. ${problems[0]?.message}`,
      problems.slice(0, maxListedProblems),
    )
  }
  return figures
}

/** Returns the number of digits after the decimal point. */
const countDecimals = (text: string): number => text.split('.')[1]?.length ?? 0

/** Compares invoice lines with the operator's figure, the quantity at the precision of the figure. */
function compareFigure(
  lines: readonly InvoiceLine[],
  { row, fee, quantity, amount }: Omit<CountedFigure, 'row' | 'lines'> & { row: number | null },
  currency: string,
): CountComparison {
  const unit = findCommonUnit(lines)
  const invoicedQuantity =
    unit === null ? null : sumRationals(lines.map((line) => Rational.of(line.quantity)))
  const invoicedAmount = sumMinor(lines.map((line) => toMinorUnits(line.amount, currency) ?? 0n))
  const digits = countDecimals(quantity ?? '')
  const quantityDifference =
    quantity === null || invoicedQuantity === null
      ? null
      : Rational.of(quantity).rounded(digits) - invoicedQuantity.rounded(digits)
  const amountDifference = amount === null ? null : (toMinorUnits(amount, currency) ?? 0n) - invoicedAmount
  return {
    row,
    fee,
    lines: lines.map(({ line }) => line),
    unit: unit ?? '',
    invoiced: { quantity: invoicedQuantity?.text() ?? null, amount: formatAmount(invoicedAmount, currency) },
    counted: { quantity, amount: amount === null ? null : normalizeAmount(amount, currency) },
    difference: {
      quantity: quantityDifference === null ? null : formatMinor(quantityDifference, digits),
      amount: amountDifference === null ? null : formatAmount(amountDifference, currency),
    },
    is_equal:
      row !== null &&
      lines.length > 0 &&
      (quantityDifference ?? 0n) === 0n &&
      (amountDifference ?? 0n) === 0n,
  }
}

/** Identifies what a line charges, independently of its line number. */
const makeLineIdentity = (line: InvoiceLine): string =>
  JSON.stringify([
    line.kind,
    line.policy_uuid ?? line.charge_id,
    line.original?.invoice_id,
    line.description,
    line.unit,
    line.unit_price,
    line.start_date,
  ])

/** Updates the line numbers of figures after the lines were recomputed. A figure may lose all lines. */
export function moveFigures(
  oldLines: readonly InvoiceLine[],
  newLines: readonly InvoiceLine[],
  figures: readonly CountedFigure[],
): CountedFigure[] {
  const numberByIdentity = new Map(newLines.map((line) => [makeLineIdentity(line), line.line]))
  const newNumbers = new Map(
    oldLines.map((line) => [line.line, numberByIdentity.get(makeLineIdentity(line))]),
  )
  return figures.map((figure) => ({
    ...figure,
    lines: figure.lines.flatMap((line) => newNumbers.get(line) ?? []),
  }))
}

/** Formats an amount with all decimals of the currency. */
const normalizeAmount = (text: string, currency: string): string =>
  formatAmount(toMinorUnits(text, currency) ?? 0n, currency)

/** Compares all lines of an invoice with figures, in order. Lines without a figure are included. */
export function compareFigures(
  lines: readonly InvoiceLine[],
  figures: readonly CountedFigure[],
  currency: string,
): CountComparison[] {
  const countedLines = new Set(figures.flatMap((figure) => figure.lines))
  return [
    ...figures.map((figure) =>
      compareFigure(
        lines.filter(({ line }) => figure.lines.includes(line)),
        figure,
        currency,
      ),
    ),
    ...lines
      .filter(({ line }) => !countedLines.has(line))
      .map((line) =>
        compareFigure([line], { row: null, fee: line.description, quantity: null, amount: null }, currency),
      ),
  ].toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0))
}

const nameColumns = ['line', 'fee', 'policy'] as const

/** Reads a CSV file with `line`, `fee` or `policy`, and `quantity`, `amount` or both, in any order. */
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
  const getCell = (row: readonly string[], name: string): string =>
    columns.includes(name) ? (row[columns.indexOf(name)] ?? '').trim() : ''
  const figureRows = rows.flatMap((row, index) =>
    row.every((text) => !text.trim())
      ? []
      : [
          {
            // Row 1 is the header.
            row: index + 2,
            fee: (nameColumns.map((name) => getCell(row, name)).find(Boolean) ?? '').slice(0, maxFeeLength),
            quantity: getCell(row, 'quantity'),
            amount: getCell(row, 'amount'),
          },
        ],
  )
  if (!figureRows.length) throw refuse('The file has no rows below its header.')
  return figureRows
}
