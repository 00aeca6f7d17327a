import { z } from 'zod'
import { TaxRate, maxMailAddresses } from './billing-settings.ts'
import { AppliedCharge } from './charges.ts'
import { endpoint } from './endpoint.ts'
import { DecimalText, FeeLine, UnchargedRate } from './fees.ts'
import { Language } from './identity.ts'
import { Dispute } from './invoice-disputes.ts'
import { Payment } from './invoice-payments.ts'
import { optionalNameSchema } from './names.ts'
import { operatorSlug } from './operators.ts'
import { orderQuery, pageSchema, pageQuery } from './page.ts'
import { LocalDay } from './period.ts'

export const invoiceKinds = ['invoice', 'credit_note'] as const
export const InvoiceKind = z.enum(invoiceKinds)
export type InvoiceKind = z.infer<typeof InvoiceKind>

/** `draft`, `approved` and `issued` are stored; the others are derived from what happened afterward. */
export const invoiceStatuses = [
  'draft',
  'approved',
  'issued',
  'sent',
  'partly_paid',
  'paid',
  'overdue',
  'disputed',
  'credited',
] as const
export const InvoiceStatus = z.enum(invoiceStatuses)
export type InvoiceStatus = z.infer<typeof InvoiceStatus>

export const InvoiceLine = FeeLine.extend({
  /** Number of the line, from 1. */
  line: z.number().int(),
  /** `adjustment`: a change of fees on an earlier invoice; `credit`: a line of a credit note. */
  kind: z.enum(['fee', 'adjustment', 'credit']),
  /** Code of the tax rate; null: no tax. */
  tax_code: z.string().nullable(),
  /** Whether days of the line have no data and a user confirmed the amount. */
  is_estimate: z.boolean(),
  /** For adjustments and credits: the original invoice; for credits also its line. */
  original: z
    .object({ invoice_id: z.uuid(), number: z.string(), line: z.number().int().nullable() })
    .nullable(),
  /** For adjustments: the amount charged so far, on the original invoice and by earlier adjustments. */
  charged_before: DecimalText.nullable(),
}).meta({ id: 'InvoiceLine' })
export type InvoiceLine = z.infer<typeof InvoiceLine>

/** The tax of one rate. */
export const InvoiceTax = TaxRate.extend({ net: DecimalText, tax: DecimalText }).meta({ id: 'InvoiceTax' })
export type InvoiceTax = z.infer<typeof InvoiceTax>

const Party = z.object({
  name: z.string(),
  address: z.string(),
  tax_id: z.string(),
  /** Email address of the seller, contact of the buyer. */
  contact: z.string(),
})

/** Number of stored facts, and the SHA-256 of their CSV. */
const StoredFacts = z.object({ rows: z.number().int(), sha256: z.string() })

const content = {
  kind: InvoiceKind,
  operator: z.string(),
  /** Service period, both included. */
  start_date: LocalDay,
  end_date: LocalDay,
  currency: z.string(),
  purchase_order: z.string(),
  notes: z.string(),
  lines: z.array(InvoiceLine),
  taxes: z.array(InvoiceTax),
  net: DecimalText,
  tax: DecimalText,
  total: DecimalText,
  seller: Party,
  buyer: Party,
  remittance_text: z.string(),
  payment_terms_days: z.number().int(),
  /** Language of the PDF. Older documents without this field are in English. */
  language: Language.default('en-US'),
  /** For credit notes: the credited invoice. */
  original: z.object({ invoice_id: z.uuid(), number: z.string() }).nullable(),
  method_version: z.number().int(),
}

/** The issued document as stored with the PDF. It is immutable. */
export const InvoiceSnapshot = z
  .object({
    ...content,
    invoice_id: z.uuid(),
    region_id: z.string(),
    number: z.string(),
    issue_date: LocalDay,
    due_date: LocalDay,
    issued_time: z.iso.datetime(),
    /** Null for credit notes. */
    facts: StoredFacts.nullable(),
    /** The charged policy revisions with their fields. */
    policies: z.array(
      z.object({
        policy_uuid: z.uuid(),
        constant_policy_uuid: z.uuid(),
        revision: z.number().int(),
        fields: z.record(z.string(), z.unknown()),
      }),
    ),
    /** Charges that are not part of policies, with their reported quantities. */
    charges: z.array(AppliedCharge).default([]),
  })
  .meta({ id: 'InvoiceSnapshot' })
export type InvoiceSnapshot = z.infer<typeof InvoiceSnapshot>

/** An invoice or credit note in a list. */
export const InvoiceSummary = z
  .object({
    invoice_id: z.uuid(),
    kind: InvoiceKind,
    /** Null for drafts. */
    number: z.string().nullable(),
    operator: z.string(),
    start_date: LocalDay,
    end_date: LocalDay,
    currency: z.string(),
    status: InvoiceStatus,
    issue_date: LocalDay.nullable(),
    /** For drafts: the due date that a user set; null: by the payment terms. */
    due_date: LocalDay.nullable(),
    net: DecimalText,
    tax: DecimalText,
    total: DecimalText,
    credited: DecimalText,
    paid: DecimalText,
    /** Below 0: overpaid. */
    open: DecimalText,
    /** Part of `open` that is in dispute. */
    disputed: DecimalText,
    has_estimate: z.boolean(),
    created_time: z.iso.datetime(),
  })
  .meta({ id: 'InvoiceSummary' })
export type InvoiceSummary = z.infer<typeof InvoiceSummary>

/** An email with an invoice. `bounced`: a user recorded that it was returned. */
export const InvoiceMail = z
  .object({
    mail_id: z.uuid(),
    /** Whether it was sent outside of this system, such as by post. */
    is_manual: z.boolean(),
    state: z.enum(['waiting', 'sent', 'failed', 'bounced']),
    recipients: z.array(z.string()),
    cc: z.array(z.string()),
    problem: z.string().nullable(),
    requested_by: z.string(),
    requested_time: z.iso.datetime(),
    sent_time: z.iso.datetime().nullable(),
    note: z.string(),
  })
  .meta({ id: 'InvoiceMail' })
export type InvoiceMail = z.infer<typeof InvoiceMail>

/** A step of an invoice: the user who took it, and its time. */
const Step = z.object({ by: z.string(), at: z.iso.datetime() })

export const Invoice = InvoiceSummary.extend({
  ...content,
  /** Incremented by each change of a draft. */
  version: z.number().int(),
  /** Time of the newest data of a draft; null: some days are not derived yet. */
  as_of: z.iso.datetime().nullable(),
  /** Confirmation of the amounts of days without data; null: none. */
  estimate: Step.extend({ note: z.string() }).nullable(),
  /** For drafts: rates of imported policies that are not charged. */
  not_charged: z.array(UnchargedRate),
  /** Null: not done yet, or hidden from users of operators. */
  prepared: Step.nullable(),
  approved: Step.nullable(),
  issued: Step.nullable(),
  facts: StoredFacts.nullable(),
  snapshot_sha256: z.string().nullable(),
  pdf_sha256: z.string().nullable(),
  credit_notes: z.array(
    z.object({ invoice_id: z.uuid(), number: z.string().nullable(), total: DecimalText }),
  ),
  payments: z.array(Payment),
  disputes: z.array(Dispute),
  /** Not for users of operators. */
  mails: z.array(InvoiceMail),
}).meta({ id: 'Invoice' })
export type Invoice = z.infer<typeof Invoice>

/** An issued invoice recomputed from its stored facts only. */
export const InvoiceRecomputation = z
  .object({
    number: z.string(),
    is_equal: z.boolean(),
    /** Whether the stored facts have the SHA-256 of the snapshot. */
    facts_match: z.boolean(),
    method_version: z.object({ issued: z.number().int(), now: z.number().int() }),
    lines: z.array(
      z.object({
        line: z.number().int().nullable(),
        description: z.string(),
        issued: DecimalText.nullable(),
        recomputed: DecimalText.nullable(),
        is_equal: z.boolean(),
      }),
    ),
    /** Sum of the issued fees, without adjustments and taxes. */
    issued: DecimalText,
    recomputed: DecimalText,
  })
  .meta({ id: 'InvoiceRecomputation' })
export type InvoiceRecomputation = z.infer<typeof InvoiceRecomputation>

const regionParams = z.object({ region_id: z.string() })
const invoiceParams = regionParams.extend({ invoice_id: z.uuid() })
const listPath = '/regions/{region_id}/invoices' as const
const invoicePath = `${listPath}/{invoice_id}` as const

const draftFields = {
  notes: z.string().trim().max(2000),
  purchase_order: optionalNameSchema(80),
  /** Null: the issue date and the payment terms. */
  due_date: LocalDay.nullable(),
}

export const listInvoices = endpoint({
  route: `GET ${listPath}`,
  permission: 'signed_in',
  scope: 'invoices:read',
  summary:
    'Invoices and credit notes of a region. Users of operators see those that were issued to them. A period selects those with a service period that overlaps it',
  request: {
    params: regionParams,
    query: z.object({
      ...pageQuery(50),
      ...orderQuery(
        ['issue_date', 'start_date', 'number', 'operator', 'total', 'open', 'due_date'],
        '-start_date',
      ),
      operator: z.string().optional(),
      status: InvoiceStatus.optional(),
      kind: InvoiceKind.optional(),
      start_date: LocalDay.optional(),
      end_date: LocalDay.optional(),
      search: z.string().trim().max(80).optional(),
    }),
  },
  response: pageSchema(InvoiceSummary),
})
export const getInvoice = endpoint({
  route: `GET ${invoicePath}`,
  permission: 'signed_in',
  scope: 'invoices:read',
  summary: 'One invoice or credit note with its lines, payments and disputes',
  request: { params: invoiceParams },
  response: Invoice,
})
export const createInvoice = endpoint({
  route: `POST ${listPath}`,
  prefixes: ['/v2'],
  permission: 'draft_invoices',
  cost: 'heavy',
  summary:
    'Draft an invoice: the fees of an operator and period, and what changed in earlier invoices of the operator',
  request: {
    params: regionParams,
    body: z
      .object({
        operator: operatorSlug,
        start_date: LocalDay,
        end_date: LocalDay,
        notes: draftFields.notes.default(''),
        /** Null: the purchase order of the operator’s settings. */
        purchase_order: draftFields.purchase_order.nullable().default(null),
        due_date: draftFields.due_date.default(null),
      })
      .refine(({ start_date, end_date }) => start_date <= end_date, {
        path: ['end_date'],
        message: 'The period ends before it starts',
      }),
  },
  response: Invoice,
})
export const refreshInvoice = endpoint({
  route: `POST ${invoicePath}/refresh`,
  permission: 'draft_invoices',
  cost: 'heavy',
  summary: 'Compute the lines of a draft again; an approval ends',
  request: { params: invoiceParams },
  response: Invoice,
})
export const changeInvoice = endpoint({
  route: `PATCH ${invoicePath}`,
  permission: 'draft_invoices',
  summary: 'Change a draft; an approval ends',
  request: { params: invoiceParams, body: z.object(draftFields).partial() },
  response: Invoice,
})
export const deleteInvoice = endpoint({
  route: `DELETE ${invoicePath}`,
  permission: 'draft_invoices',
  summary: 'Delete a draft',
  request: { params: invoiceParams },
  response: z.object({ deleted: z.boolean() }),
})
export const confirmEstimate = endpoint({
  route: `POST ${invoicePath}/confirm_estimate`,
  permission: 'approve_invoices',
  summary: 'Confirm the amounts of a draft that has days without data; its lines are marked as estimates',
  request: { params: invoiceParams, body: z.object({ note: z.string().trim().min(1).max(1000) }) },
  response: Invoice,
})
export const approveInvoice = endpoint({
  route: `POST ${invoicePath}/approve`,
  permission: 'approve_invoices',
  summary: 'Approve a draft, in the version that was looked at',
  request: { params: invoiceParams, body: z.object({ version: z.number().int() }) },
  response: Invoice,
})
export const issueInvoice = endpoint({
  route: `POST ${invoicePath}/issue`,
  permission: 'issue_invoices',
  cost: 'heavy',
  summary: 'Issue an approved draft: it receives the next number and its PDF, and is immutable',
  request: { params: invoiceParams },
  response: Invoice,
})
export const createCreditNote = endpoint({
  route: `POST ${invoicePath}/credit_notes`,
  permission: 'draft_invoices',
  summary: 'Draft a credit note of some lines of an issued invoice, or of all that is left of it',
  request: {
    params: invoiceParams,
    body: z.object({
      notes: z.string().trim().min(1).max(2000),
      /** Lines to credit; empty: all. `amount` null: the part of the line that is not credited yet. */
      lines: z
        .array(z.object({ line: z.number().int().min(1), amount: DecimalText.nullable().default(null) }))
        .max(5000)
        .default([]),
    }),
  },
  response: Invoice,
})
export const sendInvoiceEmail = endpoint({
  route: 'POST /invoice/send_invoice_email',
  permission: 'issue_invoices',
  summary:
    'Send an issued invoice by mail with its PDF. A call with the same idempotency key sends nothing again; without a key, a call while a mail waits',
  request: {
    body: z.object({
      region_id: z.string(),
      invoice_id: z.uuid(),
      idempotency_key: z.string().min(1).max(200).optional(),
      /** Null: the recipients in the operator’s settings. */
      recipients: z.array(z.email()).min(1).max(maxMailAddresses).nullable().default(null),
      cc: z.array(z.email()).max(maxMailAddresses).nullable().default(null),
      note: z.string().trim().max(2000).default(''),
    }),
  },
  response: InvoiceMail,
})
export const markInvoiceSent = endpoint({
  route: `POST ${invoicePath}/mark_sent`,
  permission: 'issue_invoices',
  summary: 'Record that an issued invoice was sent outside of this system, such as by post',
  request: { params: invoiceParams, body: z.object({ note: z.string().trim().max(1000).default('') }) },
  response: InvoiceMail,
})
export const markMailBounced = endpoint({
  route: `POST ${invoicePath}/mails/{mail_id}/bounced`,
  permission: 'issue_invoices',
  summary: 'Note that a mail came back',
  request: {
    params: invoiceParams.extend({ mail_id: z.uuid() }),
    body: z.object({ reason: z.string().trim().max(500).default('') }),
  },
  response: InvoiceMail,
})
export const getInvoicePdf = endpoint({
  route: `GET ${invoicePath}/pdf`,
  permission: 'signed_in',
  scope: 'invoices:read',
  cost: 'heavy',
  summary: 'The PDF of an invoice: of an issued one as it was issued, of a draft as it is now',
  request: { params: invoiceParams },
  response: { media: 'application/pdf' },
})
export const getInvoiceFacts = endpoint({
  route: `GET ${invoicePath}/facts.csv`,
  permission: 'signed_in',
  scope: 'invoices:read',
  cost: 'heavy',
  personal: true,
  summary: 'The facts behind an issued invoice, as CSV',
  request: { params: invoiceParams },
  response: { media: 'text/csv' },
})
export const getInvoiceFactsParquet = endpoint({
  route: `GET ${invoicePath}/facts.parquet`,
  permission: 'signed_in',
  scope: 'invoices:read',
  cost: 'heavy',
  personal: true,
  summary: 'The facts behind an issued invoice, as Parquet with typed columns: the same rows as the CSV',
  request: { params: invoiceParams },
  response: { media: 'application/vnd.apache.parquet' },
})
export const getInvoiceLines = endpoint({
  route: `GET ${invoicePath}/lines.xlsx`,
  permission: 'signed_in',
  scope: 'invoices:read',
  cost: 'heavy',
  summary: 'The lines of an invoice as a spreadsheet',
  request: { params: invoiceParams },
  response: { media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
})
export const exportInvoice = endpoint({
  route: `GET ${invoicePath}/export.zip`,
  permission: 'signed_in',
  cost: 'heavy',
  personal: true,
  summary:
    'An issued invoice for an independent check: invoice.json, its facts, and the charged policies and charges',
  request: { params: invoiceParams },
  response: { media: 'application/zip' },
})
export const recomputeInvoice = endpoint({
  route: `GET ${invoicePath}/recompute`,
  permission: 'signed_in',
  cost: 'heavy',
  summary:
    'Compute an issued invoice again from its stored facts and compare it with what was issued, line by line',
  request: { params: invoiceParams },
  response: InvoiceRecomputation,
})
export const getInvoiceByLink = endpoint({
  route: 'GET /public/invoices/{invoice_id}',
  permission: 'public',
  summary:
    'The lines of an issued invoice as CSV, by the signed link of its mail. 403: altered; 410: expired',
  request: {
    params: z.object({ invoice_id: z.uuid() }),
    query: z.object({ expires: z.string().max(20).default(''), signature: z.string().max(100).default('') }),
  },
  response: { media: 'text/csv' },
})
