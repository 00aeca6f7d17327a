import type { InvoiceLine } from '#contract/invoices.ts'
import { ratesText } from '#contract/line-rates.ts'

export interface LinesSheet {
  title: string
  currency: string
  lines: readonly InvoiceLine[]
}

/** Columns of the spreadsheet and CSV of lines. Amounts are numbers in spreadsheets, exact texts in CSV. */
export const lineColumns: readonly {
  name: string
  width: number
  isNumber?: true
  value: (line: InvoiceLine) => string | number | null
}[] = [
  { name: 'line', width: 6, isNumber: true, value: (line) => line.line },
  { name: 'kind', width: 11, value: (line) => line.kind },
  { name: 'policy_uuid', width: 36, value: (line) => line.policy_uuid },
  { name: 'policy_name', width: 30, value: (line) => line.policy_name },
  { name: 'description', width: 50, value: (line) => line.description },
  { name: 'start_date', width: 11, value: (line) => line.start_date },
  { name: 'end_date', width: 11, value: (line) => line.end_date },
  { name: 'quantity', width: 14, isNumber: true, value: (line) => line.quantity },
  { name: 'unit', width: 14, value: (line) => line.unit },
  { name: 'unit_price', width: 12, isNumber: true, value: (line) => line.unit_price },
  { name: 'amount', width: 14, isNumber: true, value: (line) => line.amount },
  { name: 'tax_code', width: 10, value: (line) => line.tax_code },
  { name: 'original', width: 18, value: (line) => line.original?.number ?? null },
  { name: 'is_estimate', width: 11, value: (line) => (line.is_estimate ? 'yes' : 'no') },
  { name: 'rate', width: 24, value: ({ rates }) => ratesText(rates, 'en-US') || null },
]
