import { z } from 'zod'
import { PaymentKind, PaymentMapping, classifiedPaymentColumns } from './curb-payments.ts'
import { endpoint } from './endpoint.ts'
import { pageSchema, pageQuery } from './page.ts'
import { LocalDay } from './period.ts'

/** Problems of a row of a payment file. The consequence for the row is in `effect`. */
export const paymentFindingCodes = [
  'not_a_record',
  'missing_time',
  'bad_time',
  'uncertain_time',
  'future_time',
  'skipped_time',
  'repeated_hour',
  'missing_amount',
  'bad_amount',
  'negative_duration',
  'bad_duration',
  'too_long',
  'times_far_apart',
  'missing_location',
  'unknown_location',
  'duplicate',
  'other_vendor',
] as const
export const PaymentFindingCode = z.enum(paymentFindingCodes)
export type PaymentFindingCode = z.infer<typeof PaymentFindingCode>

/** A row of a file that is set aside, or imported with a remark. */
export const PaymentImportRow = z
  .object({
    row: z.number().int(),
    code: PaymentFindingCode,
    /** `note`: the row is imported, possibly without the times that the message names. */
    effect: z.enum(['note', 'set_aside']),
    message: z.string(),
    /** The row as in the file, without the values of the columns `plate` and `session_key`. */
    source: z.string(),
  })
  .meta({ id: 'PaymentImportRow' })
export type PaymentImportRow = z.infer<typeof PaymentImportRow>

/** Number of rows and the sum of their amounts in minor units. */
const RowSum = z.object({ rows: z.number().int(), amount: z.number().int() })
export type RowSum = z.infer<typeof RowSum>

/** Sums of the rows of a file. Each readable amount is in one of `kinds`, `rejected` and `duplicates`. */
export const PaymentReconciliation = z.object({
  /** All rows of the file. */
  file: RowSum,
  kinds: z.partialRecord(PaymentKind, RowSum),
  rejected: RowSum,
  duplicates: RowSum,
  /** Rows of the import in the store after publication; null before. */
  stored: RowSum.nullable(),
  /** Whether `file` is the sum of the others and, after publication, `kinds` equals `stored`. */
  is_reconciled: z.boolean(),
})
export type PaymentReconciliation = z.infer<typeof PaymentReconciliation>

export const PaymentImportStatus = z.enum([
  'waiting',
  'staging',
  'staged',
  'publishing',
  'published',
  'undoing',
  'undone',
  'failed',
])
export type PaymentImportStatus = z.infer<typeof PaymentImportStatus>

export const PaymentImport = z
  .object({
    import_id: z.uuid(),
    vendor: z.string(),
    file_name: z.string(),
    status: PaymentImportStatus,
    problem: z.string().nullable(),
    rows: z.number().int(),
    /** Number of rows by code of a finding. */
    codes: z.partialRecord(PaymentFindingCode, z.number().int()),
    reconciliation: PaymentReconciliation,
    /** Number of locations in the file. */
    locations: z.number().int(),
    /** Number of them without a linked curb zone. */
    unlinked_locations: z.number().int(),
    first_day: LocalDay.nullable(),
    last_day: LocalDay.nullable(),
    created_by: z.string(),
    created_time: z.string(),
    published_time: z.string().nullable(),
    undone_time: z.string().nullable(),
    /** An earlier import of the same bytes. */
    same_as: z.uuid().nullable(),
  })
  .meta({ id: 'PaymentImport' })
export type PaymentImport = z.infer<typeof PaymentImport>

const regionParams = z.object({ region_id: z.string() })
const importParams = regionParams.extend({ import_id: z.uuid() })
const paymentsPath = '/regions/{region_id}/curb/payments'
const editPermission = 'edit_curb_regulations'
export const PaymentVendor = z.string().trim().min(1).max(100)

export const uploadPaymentFile = endpoint({
  route: `POST ${paymentsPath}/imports`,
  permission: editPermission,
  summary:
    'Send a payment file of a vendor (CSV, compressed with gzip or not); it is staged in the background. Files with unknown columns wait: call preview, then start',
  request: {
    params: regionParams,
    query: z.object({ vendor: PaymentVendor, file_name: z.string().min(1).max(255) }),
    body: { media: 'application/octet-stream' },
  },
  response: PaymentImport,
})
export const listPaymentImports = endpoint({
  route: `GET ${paymentsPath}/imports`,
  permission: 'signed_in',
  summary: 'Imports of payment files, newest first',
  request: { params: regionParams, query: z.object(pageQuery(50)) },
  response: pageSchema(PaymentImport),
})
export const getPaymentImport = endpoint({
  route: `GET ${paymentsPath}/imports/{import_id}`,
  permission: 'signed_in',
  summary: 'One import of payments with its counts and totals',
  request: { params: importParams },
  response: PaymentImport,
})
export const previewPaymentImport = endpoint({
  route: `POST ${paymentsPath}/imports/{import_id}/preview`,
  reads: true,
  permission: editPermission,
  summary: 'Columns and first rows of a payment file as a mapping reads them; without one: as suggested',
  request: { params: importParams, body: z.object({ mapping: PaymentMapping.nullable().default(null) }) },
  response: z.object({
    header: z.array(z.string()),
    mapping: PaymentMapping,
    /** First values of each column. */
    samples: z.record(z.string(), z.array(z.string())),
    /** Words of the columns `status`, `payment_type` and `event_type` in the first rows. */
    words: z.array(z.object({ column: z.enum(classifiedPaymentColumns), value: z.string() })),
    rows: z.array(
      z.object({
        row: z.number().int(),
        kind: PaymentKind.nullable(),
        location: z.string(),
        paid_time: z.string().nullable(),
        start_time: z.string().nullable(),
        end_time: z.string().nullable(),
        amount: z.number().int().nullable(),
        payment_type: z.string(),
        findings: z.array(z.object({ code: PaymentFindingCode, message: z.string() })),
      }),
    ),
  }),
})
export const startPaymentImport = endpoint({
  route: `POST ${paymentsPath}/imports/{import_id}/start`,
  permission: editPermission,
  summary:
    'Stage a payment file that waits, or stage it again, with this mapping, which is saved for the vendor',
  request: { params: importParams, body: z.object({ mapping: PaymentMapping.optional() }) },
  response: PaymentImport,
})
const rowFilter = { code: PaymentFindingCode.optional(), effect: z.enum(['note', 'set_aside']).optional() }
export const listPaymentImportRows = endpoint({
  route: `GET ${paymentsPath}/imports/{import_id}/rows`,
  permission: 'signed_in',
  summary: 'Rows of an import that are set aside or have a remark, in the order of the file',
  request: { params: importParams, query: z.object({ ...pageQuery(50), ...rowFilter }) },
  response: pageSchema(PaymentImportRow),
})
export const downloadPaymentImportRows = endpoint({
  route: `GET ${paymentsPath}/imports/{import_id}/rows.csv`,
  permission: 'signed_in',
  summary: 'Rows of an import that are set aside or have a remark, as CSV',
  request: { params: importParams, query: z.object(rowFilter) },
  response: { media: 'text/csv' },
})
export const publishPaymentImport = endpoint({
  route: `POST ${paymentsPath}/imports/{import_id}/publish`,
  permission: editPermission,
  summary: 'Publish the staged payments of an import as one change, in the background',
  request: { params: importParams },
  response: PaymentImport,
})
export const undoPaymentImport = endpoint({
  route: `POST ${paymentsPath}/imports/{import_id}/undo`,
  permission: editPermission,
  summary: 'Undo the newest published import of payments of a vendor, in the background',
  request: { params: importParams },
  response: PaymentImport,
})
export const deletePaymentImport = endpoint({
  route: `DELETE ${paymentsPath}/imports/{import_id}`,
  permission: editPermission,
  summary: 'Remove an import of payments that is not published',
  request: { params: importParams },
  response: z.object({ deleted: z.literal(true) }),
})
