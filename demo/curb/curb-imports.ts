import { setTimeout as wait } from 'node:timers/promises'
import { uploadCounts, setCountStatus } from '#server/curb/occupancy/imports/manage-counts.ts'
import {
  type ImportingPayments,
  queueStep,
  receivePaymentFile,
  startPayments,
} from '#server/curb/payments/manage-payment-imports.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { PaymentMapping } from '#contract/curb-payments.ts'

/** The context of imports: the user, the region and the stores. */
export interface CurbImporter extends ImportingPayments {
  viewer: Viewer
  regionId: string
}

const pollMs = 1000

// An async iterable is required, although the bytes are available at once.
// eslint-disable-next-line typescript/require-await
async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Imports and publishes a payment file, step by step. An interrupted import continues. */
export async function importPayments(
  importer: CurbImporter,
  file: { vendor: string; name: string; mapping: PaymentMapping; make: () => Promise<Uint8Array> },
): Promise<void> {
  const { state, viewer, regionId } = importer
  for (;;) {
    const row = await state
      .as(viewer.scope)
      .selectFrom('curb_payment_import')
      .select(['import_id', 'status', 'problem'])
      .where('region_id', '=', regionId)
      .where('vendor', '=', file.vendor)
      .where('file_name', '=', file.name)
      .orderBy('created_time', 'desc')
      .limit(1)
      .executeTakeFirst()
    const at = new Date()
    if (!row)
      await receivePaymentFile(importer, {
        viewer,
        params: { region_id: regionId },
        query: { vendor: file.vendor, file_name: file.name },
        body: toStream(await file.make()),
        at,
      })
    else if (row.status === 'waiting')
      await startPayments(importer, {
        viewer,
        params: { region_id: regionId, import_id: row.import_id },
        body: { mapping: file.mapping },
        at,
      })
    else if (row.status === 'staged')
      await queueStep(
        importer,
        { viewer, params: { region_id: regionId, import_id: row.import_id } },
        'publishing',
      )
    else if (row.status === 'failed') throw new Error(`${file.name}: ${row.problem ?? 'failed'}`)
    else if (row.status === 'published' || row.status === 'undone') return
    else await wait(pollMs)
  }
}

/** Imports and publishes a survey in the same steps as payments. */
export async function importSurvey(
  importer: CurbImporter,
  file: { name: string; date: string; make: () => string },
): Promise<void> {
  const { state, viewer, regionId } = importer
  for (;;) {
    const row = await state
      .as(viewer.scope)
      .selectFrom('curb_count_import')
      .select(['import_id', 'status', 'problem'])
      .where('region_id', '=', regionId)
      .where('file_name', '=', file.name)
      .orderBy('created_time', 'desc')
      .limit(1)
      .executeTakeFirst()
    const at = new Date()
    if (!row)
      await uploadCounts(importer, {
        viewer,
        params: { region_id: regionId },
        query: { file_name: file.name, date: file.date },
        body: toStream(Buffer.from(file.make())),
        at,
      })
    else if (row.status === 'staged')
      await setCountStatus(
        importer,
        { viewer, params: { region_id: regionId, import_id: row.import_id }, at },
        'published',
      )
    else if (row.status === 'failed') throw new Error(`${file.name}: ${row.problem ?? 'failed'}`)
    else if (row.status === 'published' || row.status === 'undone') return
    else await wait(pollMs)
  }
}
