import type { InvoiceLine } from '#contract/invoices.ts'
import { formatRates } from '#contract/line-rates.ts'

export interface LinesSheet {
  title: string
  currency: string
  lines: readonly InvoiceLine[]
}

/** Columns of the spreadsheet and CSV of lines. Amounts are numbers in spreadsheets, exact texts in CSV. */
export const lineColumns: readonly {
  name: string
  /** In characters. */
  width: number
  isNumber?: true
  getValue: (line: InvoiceLine) => string | number | null
}[] = [
  { name: 'line', width: 6, isNumber: true, getValue: (line) => line.line },
  { name: 'kind', width: 11, getValue: (line) => line.kind },
  { name: 'policy_uuid', width: 36, getValue: (line) => line.policy_uuid },
  { name: 'policy_name', width: 30, getValue: (line) => line.policy_name },
  { name: 'description', width: 50, getValue: (line) => line.description },
  { name: 'start_date', width: 11, getValue: (line) => line.start_date },
  { name: 'end_date', width: 11, getValue: (line) => line.end_date },
  { name: 'quantity', width: 14, isNumber: true, getValue: (line) => line.quantity },
  { name: 'unit', width: 14, getValue: (line) => line.unit },
  { name: 'unit_price', width: 12, isNumber: true, getValue: (line) => line.unit_price },
  { name: 'amount', width: 14, isNumber: true, getValue: (line) => line.amount },
  { name: 'tax_code', width: 10, getValue: (line) => line.tax_code },
  { name: 'original', width: 18, getValue: (line) => line.original?.number ?? null },
  { name: 'is_estimate', width: 11, getValue: (line) => (line.is_estimate ? 'yes' : 'no') },
  { name: 'rate', width: 24, getValue: ({ rates }) => formatRates(rates, 'en-US') || null },
]
