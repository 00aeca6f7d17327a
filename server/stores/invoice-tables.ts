import type { ColumnType, Generated } from 'kysely'
import type { Json, Nullable, Time, WithDefault } from './identity-tables.ts'

/** An amount in minor units of its currency. */
type MinorUnits = ColumnType<string, bigint | string, bigint | string>
type Bytes = ColumnType<Uint8Array, Uint8Array, Uint8Array>

/** Tables of invoices, their payments, mails, disputes and settings. */
export interface InvoiceTables {
  billing_settings: {
    region_id: string
    settings: WithDefault<Json<unknown>>
    logo: Nullable<Uint8Array>
    logo_media: Nullable<string>
  }
  billing_charge: {
    charge_id: string
    region_id: string
    operator: Nullable<string>
    start_date: string
    end_date: Nullable<string>
    currency: string
    fields: Json<unknown>
    created_time: Time
  }
  billing_quantity: {
    region_id: string
    operator: string
    quantity: string
    month: string
    value: string
    is_estimate: boolean
    reported_by: string
    reported_time: Time
  }
  billing_payer: { region_id: string; operator: string; settings: WithDefault<Json<unknown>> }
  invoice: {
    invoice_id: string
    region_id: string
    kind: string
    operator: string
    start_date: string
    end_date: string
    currency: string
    status: string
    version: Generated<number>
    original_id: Nullable<string>
    lines: Json<unknown>
    taxes: Json<unknown>
    net: MinorUnits
    tax: MinorUnits
    total: MinorUnits
    has_estimate: Generated<boolean>
    estimate: ColumnType<unknown, string | null | undefined, string | null>
    notes: Generated<string>
    purchase_order: Generated<string>
    due_date: Nullable<string>
    method_version: number
    as_of: Nullable<Date>
    created_time: Time
    prepared_by: string
    prepared_time: Time
    approved_by: Nullable<string>
    approved_time: Nullable<Date>
    number: Nullable<string>
    issue_date: Nullable<string>
    issued_by: Nullable<string>
    issued_time: Nullable<Date>
    retain_until: ColumnType<Date | string | null, string | null | undefined, string | null>
  }
  invoice_document: {
    invoice_id: string
    region_id: string
    snapshot: string
    snapshot_sha256: string
    pdf: Bytes
    pdf_sha256: string
    retain_until: ColumnType<Date | string, string, string>
  }
  invoice_series: { region_id: string; kind: string; last: MinorUnits }
  invoice_number: {
    region_id: string
    kind: string
    seq: MinorUnits
    number: string
    invoice_id: string
    used_time: Time
  }
  invoice_payment: {
    payment_id: Generated<string>
    region_id: string
    invoice_id: string
    date: string
    amount: MinorUnits
    reference: string
    import_key: Nullable<string>
    recorded_by: string
    recorded_time: Time
    voided_by: Nullable<string>
    voided_time: Nullable<Date>
  }
  invoice_mail: {
    mail_id: string
    region_id: string
    invoice_id: string
    idempotency_key: string
    is_manual: boolean
    state: string
    recipients: Json<string[]>
    cc: Json<string[]>
    note: string
    problem: Nullable<string>
    requested_by: string
    requested_time: Time
    sent_time: Nullable<Date>
  }
  invoice_count: {
    count_id: Generated<string>
    region_id: string
    invoice_id: string
    at: Time
    by_email: string
    is_operator: boolean
    file_name: string | null
    figures: Json<unknown>
  }
  invoice_dispute: {
    dispute_id: string
    region_id: string
    invoice_id: string
    line: number
    state: string
    reason: string
    amount: MinorUnits
    opened_time: Time
    closed_time: Nullable<Date>
    credit_note_id: Nullable<string>
  }
  invoice_dispute_message: {
    message_id: Generated<string>
    dispute_id: string
    region_id: string
    number: Generated<string>
    at: Time
    by_email: string
    is_operator: boolean
    step: string
    text: string
    file_name: Nullable<string>
    file: Nullable<Uint8Array>
    file_bytes: Nullable<number>
    file_sha256: Nullable<string>
  }
}
