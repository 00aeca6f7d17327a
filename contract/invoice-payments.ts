import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { DecimalText } from './fees.ts'
import { optionalNameSchema } from './names.ts'
import { operatorSlug } from './operators.ts'
import { pageSchema, pageQuery } from './page.ts'
import { LocalDay } from './period.ts'

/** Maximum bytes of a file of payments. */
export const maxPaymentFileBytes = 5 * 1024 * 1024

export const Payment = z
  .object({
    payment_id: z.uuid(),
    invoice_id: z.uuid(),
    number: z.string(),
    operator: z.string(),
    date: LocalDay,
    amount: DecimalText,
    currency: z.string(),
    reference: z.string(),
    /** Whether it was imported from a file. */
    is_imported: z.boolean(),
    recorded_by: z.string(),
    recorded_time: z.iso.datetime(),
    /** Whether it was voided because it was recorded by mistake; it is then ignored. */
    is_void: z.boolean(),
  })
  .meta({ id: 'Payment' })
export type Payment = z.infer<typeof Payment>

/** Result of the import of a file of payments. Rows are lines of the file; the header is line 1. */
export const InvoicePaymentImport = z
  .object({
    rows: z.number().int(),
    added: z.array(z.object({ row: z.number().int(), payment: Payment })),
    /** Rows that an earlier import added. */
    duplicates: z.array(z.number().int()),
    refused: z.array(z.object({ row: z.number().int(), field: z.string(), reason: z.string() })),
  })
  .meta({ id: 'PaymentImport' })
export type InvoicePaymentImport = z.infer<typeof InvoicePaymentImport>

export const StatementEntry = z
  .object({
    date: LocalDay,
    kind: z.enum(['invoice', 'credit_note', 'payment']),
    invoice_id: z.uuid(),
    number: z.string(),
    reference: z.string(),
    currency: z.string(),
    /** Negative for credits and payments. */
    amount: DecimalText,
    /** Open balance of the operator after the payment. */
    balance: DecimalText,
  })
  .meta({ id: 'StatementEntry' })
export type StatementEntry = z.infer<typeof StatementEntry>

/** Open amounts of one operator in one currency, by days after the due date. */
export const AgingRow = z
  .object({
    operator: z.string(),
    currency: z.string(),
    not_due: DecimalText,
    days_1_30: DecimalText,
    days_31_60: DecimalText,
    days_61_90: DecimalText,
    days_over_90: DecimalText,
    /** Overpaid amount, 0 or less. */
    overpaid: DecimalText,
    total: DecimalText,
    /** Disputed amount, which is included in the other columns. */
    disputed: DecimalText,
  })
  .meta({ id: 'AgingRow' })
export type AgingRow = z.infer<typeof AgingRow>

const regionParams = z.object({ region_id: z.string() })
const period = { start_date: LocalDay, end_date: LocalDay }
const paymentsPath = '/regions/{region_id}/invoice_payments' as const

export const listPayments = endpoint({
  route: `GET ${paymentsPath}`,
  permission: 'signed_in',
  summary: 'Payments of invoices, newest first',
  request: {
    params: regionParams,
    query: z.object({
      ...pageQuery(50),
      operator: z.string().optional(),
      start_date: LocalDay.optional(),
      end_date: LocalDay.optional(),
    }),
  },
  response: pageSchema(Payment),
})
export const recordPayment = endpoint({
  route: `POST ${paymentsPath}`,
  prefixes: ['/v2'],
  permission: 'record_payments',
  summary: 'Record a payment of an issued invoice, found by its number',
  request: {
    params: regionParams,
    body: z.object({
      number: z.string().trim().min(1).max(80),
      date: LocalDay,
      /** Above 0, with at most the digits of the currency. */
      amount: DecimalText,
      reference: optionalNameSchema(120).default(''),
    }),
  },
  response: Payment,
})
export const voidPayment = endpoint({
  route: `POST ${paymentsPath}/{payment_id}/void`,
  permission: 'record_payments',
  summary: 'Void a payment that was recorded by mistake; it remains listed',
  request: { params: regionParams.extend({ payment_id: z.uuid() }) },
  response: Payment,
})
export const importPayments = endpoint({
  route: `POST ${paymentsPath}/import`,
  prefixes: ['/v2'],
  permission: 'record_payments',
  summary:
    'Record payments of a CSV file with the columns date, amount and reference, which contains the number of the invoice. Rows that were added before are left out; refused rows do not stop the others',
  request: { params: regionParams, body: { media: 'application/octet-stream' } },
  response: InvoicePaymentImport,
})
export const getStatement = endpoint({
  route: 'GET /regions/{region_id}/invoice_statements/{operator}',
  permission: 'signed_in',
  summary: 'Statement of account of an operator: invoices, credit notes and payments with the balance',
  request: { params: regionParams.extend({ operator: operatorSlug }), query: z.object(period) },
  response: z.object({
    operator: z.string(),
    ...period,
    /** By currency. */
    balances: z.array(z.object({ currency: z.string(), opening: DecimalText, closing: DecimalText })),
    entries: z.array(StatementEntry),
  }),
})
export const getAging = endpoint({
  route: 'GET /regions/{region_id}/invoice_aging',
  permission: 'signed_in',
  summary: 'Open amounts by operator and days after the due date',
  request: { params: regionParams },
  response: z.object({ date: LocalDay, items: z.array(AgingRow) }),
})
export const downloadLedger = endpoint({
  route: 'GET /regions/{region_id}/invoice_ledger',
  permission: 'record_payments',
  summary: 'Journal of invoices, credit notes and payments as CSV with account codes',
  request: { params: regionParams, query: z.object(period) },
  response: { media: 'text/csv' },
})
