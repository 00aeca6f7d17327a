import { randomUUID } from 'node:crypto'
import { currencyDigits } from '#contract/money.ts'
import type {
  deletePaymentImport,
  PaymentImport,
  previewPaymentImport,
  publishPaymentImport,
  startPaymentImport,
  uploadPaymentFile,
} from '#contract/curb-payment-imports.ts'
import { classifiedPaymentColumns } from '#contract/curb-payments.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { CurbFileError } from '../imports/curb-format.ts'
import { type CurbFileStore, findLocalFile, removeCurbFiles, storeCurbFile } from '../imports/curb-files.ts'
import { openFile } from '../imports/open-file.ts'
import { surveyTable, type TableSurvey } from '../imports/table/survey-table.ts'
import {
  findPaymentImport,
  readMapping,
  type PaymentImportRow,
  readPaymentImport,
  findVendorMapping,
} from './payment-import-store.ts'
import { PaymentReader } from './read/read-payment.ts'
import { suggestPaymentMapping } from './read/suggest-payment-mapping.ts'
import { paymentImportsJob } from './run-payment-imports.ts'

/** What use cases of payment imports need. */
export interface ImportingPayments extends CurbFileStore {
  state: State
  facts: Facts
  jobs: Pick<Jobs, 'send'>
}

/** Rows of a preview, and values of each of its columns. */
const previewRows = 10
const sampleValues = 5
/** Characters of a value in a preview. */
const maxValueLength = 500

const isSameHeader = (a: readonly string[], b: readonly string[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/** Reads the first rows of a received file. */
async function surveyFile(
  { blobs }: Pick<ImportingPayments, 'blobs'>,
  { file_path: stored, file_name: name }: Pick<PaymentImportRow, 'file_path' | 'file_name'>,
) {
  const path = stored === null ? null : await findLocalFile(blobs, stored)
  if (path === null)
    throw new Problem('conflict', 'The received file is no longer on the server. Send it again.')
  try {
    return await surveyTable(openFile(path, name))
  } catch (error) {
    throw error instanceof CurbFileError ? new Problem('validation_error', error.message) : error
  }
}

/** Receives a file of a vendor. It is read immediately if the vendor has a mapping for its columns. */
export async function receivePaymentFile(
  { state, jobs, blobs, dataDir }: ImportingPayments,
  {
    viewer: { scope, email },
    params,
    query,
    body,
    at,
  }: Pick<Call<typeof uploadPaymentFile>, 'viewer' | 'params' | 'query' | 'body' | 'at'>,
): Promise<PaymentImport> {
  const { region_id: regionId } = params
  const { vendor, file_name: fileName } = query
  const store = state.as(scope)
  await findRegion(state, scope, regionId)
  const { hash, path } = await storeCurbFile({ blobs, dataDir }, body, fileName)
  try {
    const survey = await surveyFile({ blobs }, { file_path: path, file_name: fileName })
    const saved = await findVendorMapping(store, regionId, vendor)
    const mapping = saved && isSameHeader(saved.header, survey.header) ? saved.mapping : null
    const importId = randomUUID()
    await store
      .insertInto('curb_payment_import')
      .values({
        import_id: importId,
        region_id: regionId,
        vendor,
        file_name: fileName,
        file_hash: hash,
        file_path: path,
        status: mapping ? 'staging' : 'waiting',
        mapping: mapping && JSON.stringify(mapping),
        created_by: email,
        created_time: at,
      })
      .execute()
    if (mapping) await jobs.send(paymentImportsJob, {})
    return await readPaymentImport(store, regionId, importId)
  } catch (error) {
    await removeCurbFiles(blobs, [{ path }])
    throw error
  }
}

/** Finds the mapping of an import: its own, that of its vendor for the same header, or a suggested one. */
async function findMapping(
  { state, scope, at }: { state: State; scope: Scope; at: Date },
  row: PaymentImportRow,
  survey: TableSurvey,
) {
  const region = await findRegion(state, scope, row.region_id)
  const reading = {
    vendor: row.vendor,
    timezone: region.timezone,
    currency: region.currencyCode,
    currencyDigits: currencyDigits(region.currencyCode),
    now: at.getTime(),
  }
  const saved = await findVendorMapping(state.as(scope), row.region_id, row.vendor)
  const vendorMapping = saved && isSameHeader(saved.header, survey.header) ? saved.mapping : null
  const mapping = readMapping(row) ?? vendorMapping ?? suggestPaymentMapping(survey, reading)
  return { reading, mapping }
}

/** Reads the columns and first rows of a payment file by the given, stored or suggested mapping. */
export async function previewPayments(
  { state, blobs }: ImportingPayments,
  {
    viewer: { scope },
    params,
    body,
    at,
  }: Pick<Call<typeof previewPaymentImport>, 'viewer' | 'params' | 'body' | 'at'>,
) {
  const row = await findPaymentImport(state.as(scope), params.region_id, params.import_id)
  const survey = await surveyFile({ blobs }, row)
  const { reading, mapping: foundMapping } = await findMapping({ state, scope, at }, row, survey)
  const mapping = body.mapping ?? foundMapping
  const reader = new PaymentReader({ ...reading, header: survey.header, mapping, key: 'preview' })
  const toIso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
  const personalColumns = new Set([mapping.columns.plate, mapping.columns.session_key])
  return {
    header: survey.header,
    mapping,
    samples: Object.fromEntries(
      survey.header.map((name) => [
        name,
        personalColumns.has(name)
          ? []
          : [...(survey.values.get(name)?.keys() ?? [])]
              .filter((value) => value !== '')
              .slice(0, sampleValues),
      ]),
    ),
    words: classifiedPaymentColumns.flatMap((column) =>
      [...(survey.values.get(mapping.columns[column] ?? '')?.keys() ?? [])]
        .filter((value) => value !== '')
        .map((value) => ({ column, value: value.slice(0, maxValueLength) })),
    ),
    rows: survey.sample.slice(0, previewRows).map(({ row: number, fields }) => {
      const { payment, amount, findings } = reader.read(
        fields && survey.header.map((name) => fields[name] ?? ''),
      )
      return {
        row: number,
        kind: payment?.kind ?? null,
        location: payment?.locationId ?? '',
        paid_time: toIso(payment?.paidTime ?? null),
        start_time: toIso(payment?.startTime ?? null),
        end_time: toIso(payment?.endTime ?? null),
        amount,
        payment_type: payment?.paymentType ?? '',
        findings: findings.map(({ code, message }) => ({ code, message })),
      }
    }),
  }
}

/** Starts reading a file that waits, failed, or is to be read again. The mapping is saved for the vendor. */
export async function startPayments(
  { state, jobs, blobs }: ImportingPayments,
  {
    viewer: { scope },
    params,
    body,
    at,
  }: Pick<Call<typeof startPaymentImport>, 'viewer' | 'params' | 'body' | 'at'>,
): Promise<PaymentImport> {
  const { region_id: regionId, import_id: importId } = params
  const store = state.as(scope)
  const row = await findPaymentImport(store, regionId, importId)
  if (!['waiting', 'staged', 'failed'].includes(row.status))
    throw new Problem('conflict', `This import is ${row.status}; it cannot be read again.`)
  const survey = await surveyFile({ blobs }, row)
  const mapping = body.mapping ?? (await findMapping({ state, scope, at }, row, survey)).mapping
  const { columns } = mapping
  if (columns.amount === undefined)
    throw new Problem('validation_error', 'Choose the column with the amount.')
  if (columns.paid_time === undefined && columns.start_time === undefined)
    throw new Problem('validation_error', 'Choose the column with the time of the payment, or of the start.')
  const missingColumn = Object.values(columns).find((name) => !survey.header.includes(name))
  if (missingColumn !== undefined)
    throw new Problem('validation_error', `The file has no column “${missingColumn}”.`)
  const vendorColumns = { mapping: JSON.stringify(mapping), header: JSON.stringify(survey.header) }
  await store
    .insertInto('curb_payment_vendor')
    .values({ region_id: regionId, vendor: row.vendor, ...vendorColumns })
    .onConflict((conflict) => conflict.columns(['region_id', 'vendor']).doUpdateSet(vendorColumns))
    .execute()
  await store
    .updateTable('curb_payment_import')
    .set({
      status: 'staging',
      problem: null,
      counts: '{}',
      mapping: vendorColumns.mapping,
      lease_until: null,
    })
    .where('import_id', '=', importId)
    .where('status', '=', row.status)
    .execute()
  await jobs.send(paymentImportsJob, {})
  return readPaymentImport(store, regionId, importId)
}

/** Queues the publication of a staged import, or the undoing of a published one. */
export async function queueStep(
  { state, jobs }: ImportingPayments,
  { viewer, params }: Pick<Call<typeof publishPaymentImport>, 'viewer' | 'params'>,
  step: 'publishing' | 'undoing',
): Promise<PaymentImport> {
  const { region_id: regionId, import_id: importId } = params
  const store = state.as(viewer.scope)
  const row = await findPaymentImport(store, regionId, importId)
  const requiredStatus = step === 'publishing' ? 'staged' : 'published'
  if (row.status !== requiredStatus)
    throw new Problem(
      'conflict',
      `This import is ${row.status}; only one that is ${requiredStatus} can be ${step === 'publishing' ? 'published' : 'undone'}.`,
    )
  if (step === 'undoing') {
    const newerImport = await store
      .selectFrom('curb_payment_import')
      .select('file_name')
      .where('region_id', '=', regionId)
      .where('vendor', '=', row.vendor)
      .where('status', 'in', ['publishing', 'published'])
      .where('import_id', '!=', importId)
      .where('published_time', '>', row.published_time)
      .limit(1)
      .executeTakeFirst()
    if (newerImport)
      throw new Problem(
        'conflict',
        `Only the newest import of a vendor can be undone. Undo “${newerImport.file_name}” first.`,
      )
  }
  await store
    .updateTable('curb_payment_import')
    .set({ status: step, problem: null, lease_until: null })
    .where('import_id', '=', importId)
    .where('status', '=', requiredStatus)
    .execute()
  await jobs.send(paymentImportsJob, {})
  return readPaymentImport(store, regionId, importId)
}

/** Deletes an import that is not published, with its rows and its file. */
export async function deletePayments(
  { state, facts, blobs }: ImportingPayments,
  { viewer, params }: Pick<Call<typeof deletePaymentImport>, 'viewer' | 'params'>,
): Promise<{ deleted: true }> {
  const importId = params.import_id
  const store = state.as(viewer.scope)
  const row = await findPaymentImport(store, params.region_id, importId)
  if (['published', 'publishing', 'undoing'].includes(row.status))
    throw new Problem('conflict', 'This import is published. Undo it first.')
  await store.deleteFrom('curb_payment_import').where('import_id', '=', importId).execute()
  await facts.emptyStaging(importId, ['curb_payments_staging', 'curb_payment_rows'])
  if (row.file_path !== null) await removeCurbFiles(blobs, [{ path: row.file_path }])
  return { deleted: true }
}
