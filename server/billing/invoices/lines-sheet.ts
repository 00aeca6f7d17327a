import type { InvoiceLine } from '#contract/invoices.ts'

export interface LinesSheet {
  title: string
  currency: string
  lines: readonly InvoiceLine[]
}

/** Columns of the spreadsheet and CSV of lines. Amounts are numbers in spreadsheets, with all their digits in CSV. */
export const lineColumns: readonly {
  name: string
  width: number
  isNumber?: true
  of: (line: InvoiceLine) => string | number | null
}[] = [
  { name: 'line', width: 6, isNumber: true, of: (line) => line.line },
  { name: 'kind', width: 11, of: (line) => line.kind },
  { name: 'policy_uuid', width: 36, of: (line) => line.policy_uuid },
  { name: 'policy_name', width: 30, of: (line) => line.policy_name },
  { name: 'description', width: 50, of: (line) => line.description },
  { name: 'start_date', width: 11, of: (line) => line.start_date },
  { name: 'end_date', width: 11, of: (line) => line.end_date },
  { name: 'quantity', width: 14, isNumber: true, of: (line) => line.quantity },
  { name: 'unit', width: 14, of: (line) => line.unit },
  { name: 'unit_price', width: 12, isNumber: true, of: (line) => line.unit_price },
  { name: 'amount', width: 14, isNumber: true, of: (line) => line.amount },
  { name: 'tax_code', width: 10, of: (line) => line.tax_code },
  { name: 'original', width: 18, of: (line) => line.original?.number ?? null },
  { name: 'is_estimate', width: 11, of: (line) => (line.is_estimate ? 'yes' : 'no') },
]
