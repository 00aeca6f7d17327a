import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { DecimalText } from './fees.ts'
import { nameSchema } from './names.ts'

/** Maximum size of a file of figures. */
export const maxCountFileBytes = 1024 * 1024
export const maxCountRows = 5000

const figures = {
  /** Null: not counted, or the lines have several units. */
  quantity: DecimalText.nullable(),
  amount: DecimalText.nullable(),
}

/** Comparison of lines of an invoice with the operator's own figure for them. */
export const CountComparison = z
  .object({
    /** Row of the operator's figures; null: there is none for this line. */
    row: z.number().int().nullable(),
    /** Name of the fee in the operator's figures, or of the line. */
    fee: z.string(),
    /** Numbers of the lines; several if the operator counted all fees of a policy together. */
    lines: z.array(z.number().int()),
    /** Empty: several units. */
    unit: z.string(),
    invoiced: z.object(figures),
    counted: z.object(figures),
    /** `counted` minus `invoiced`; quantities are rounded to the digits of the operator's figure. */
    difference: z.object(figures),
    is_equal: z.boolean(),
  })
  .meta({ id: 'CountComparison' })
export type CountComparison = z.infer<typeof CountComparison>

/** An operator's own figures for an invoice. */
export const OperatorCount = z
  .object({
    count_id: z.uuid(),
    at: z.iso.datetime(),
    /** Email address of the author. Empty if the viewer is an operator and the author is not. */
    by: z.string(),
    /** Whether a user of the operator entered it, rather than one of the city. */
    is_operator: z.boolean(),
    /** Null: entered by hand. */
    file_name: z.string().nullable(),
    comparison: z.array(CountComparison),
    /** Sums of the lines with a counted amount. */
    invoiced: DecimalText,
    counted: DecimalText,
    difference: DecimalText,
    /** Whether all lines were counted and none differs. */
    is_equal: z.boolean(),
  })
  .meta({ id: 'OperatorCount' })
export type OperatorCount = z.infer<typeof OperatorCount>

const invoiceParams = z.object({ region_id: z.string(), invoice_id: z.uuid() })
const countsPath = '/regions/{region_id}/invoices/{invoice_id}/operator_counts' as const
const cell = z.string().trim().max(300)

export const listOperatorCounts = endpoint({
  route: `GET ${countsPath}`,
  permission: 'signed_in',
  summary: 'The operator’s own figures for an invoice or draft, compared with its lines, newest first',
  request: { params: invoiceParams },
  response: z.object({ items: z.array(OperatorCount) }),
})
export const addOperatorCount = endpoint({
  route: `POST ${countsPath}`,
  prefixes: ['/v2'],
  permission: 'signed_in',
  changesOwnData: true,
  summary:
    'Enter figures of an operator for an invoice. Users of the operator may once it is issued, and users of the city at any time with `draft_invoices` or `approve_invoices`. All rows or none are stored; a refusal names row and reason',
  request: {
    params: invoiceParams,
    body: z.object({
      rows: z
        .array(
          z.object({
            /** Number of a line, its description, or the name of a policy, which includes all of its fees. */
            fee: cell,
            /** A decimal number, or empty. */
            quantity: cell.default(''),
            amount: cell.default(''),
          }),
        )
        .min(1)
        .max(maxCountRows),
    }),
  },
  response: OperatorCount,
})
export const importOperatorCount = endpoint({
  route: `POST ${countsPath}/import`,
  prefixes: ['/v2'],
  permission: 'signed_in',
  changesOwnData: true,
  summary:
    'Enter figures of an operator from a CSV file with the columns fee (or line, or policy), quantity and amount. All rows or none are stored',
  request: {
    params: invoiceParams,
    query: z.object({ file_name: nameSchema(120) }),
    body: { media: 'application/octet-stream' },
  },
  response: OperatorCount,
})
