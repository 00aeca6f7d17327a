import { createHash, randomUUID } from 'node:crypto'
import type {
  CurbImport,
  CurbMapping,
  deleteCurbImport,
  previewCurbImport,
  startCurbImport,
  uploadCurbFile,
} from '#contract/curb-imports.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { CurbFileError, type StagedRow } from './curb-format.ts'
import {
  type CurbFileStore,
  openCurbFile,
  removeCurbFiles,
  storeCurbFile,
  type StoredFile,
} from './curb-files.ts'
import { stageTableRows } from './formats/table-format.ts'
import { findImport, type ImportRow, makeEmptyCounts, readImport } from './import-store.ts'
import { findInventory, type InventoryRow, readSettings } from './inventory-store.ts'
import { openStaging, stageJob } from './stage-import.ts'
import { suggestMapping } from './table/suggest-mapping.ts'
import { surveyTable, type TableSurvey } from './table/survey-table.ts'

/** What use cases of imports need. */
export interface Importing extends CurbFileStore {
  state: State
  jobs: Pick<Jobs, 'send'>
}

const getImportFiles = (row: Pick<ImportRow, 'files'>): StoredFile[] => row.files as StoredFile[]

/** Receives a file and starts staging, unless the import waits for a mapping or further files. */
export async function receiveCurbFile(
  { state, jobs, blobs, dataDir }: Importing,
  { viewer, params, query, body, at }: Call<typeof uploadCurbFile>,
): Promise<CurbImport> {
  const { region_id: regionId, inventory_id: inventoryId } = params
  const { file_name: fileName, with_import: withImport, wait = false } = query
  const store = state.as(viewer.scope)
  const inventory = await findInventory(store, regionId, inventoryId)
  if (inventory.kind === 'drawn')
    throw new Problem('conflict', 'Drawn zones are not a source of files. Add a source first.')
  const waitingImport = withImport === undefined ? null : await findWaitingImport(store, regionId, withImport)
  if (waitingImport && waitingImport.inventory_id !== inventoryId)
    throw new Problem('conflict', 'The other file belongs to another source.')
  const { hash, ...file } = await storeCurbFile({ blobs, dataDir }, body, fileName)
  try {
    if (waitingImport) return await addFile(store, waitingImport, { file, hash })
    const isKnown = inventory.kind !== 'table' || (await hasKnownHeader(blobs, file, readSettings(inventory)))
    const status = wait || inventory.kind === 'signs' || !isKnown ? 'waiting' : 'staging'
    const importId = randomUUID()
    await store
      .insertInto('curb_import')
      .values({
        import_id: importId,
        region_id: regionId,
        inventory_id: inventoryId,
        file_name: fileName,
        file_hash: hash,
        status,
        created_by: viewer.email,
        created_time: at,
        files: JSON.stringify([file]),
      })
      .execute()
    if (status === 'staging') await jobs.send(stageJob, {})
    return await readImport(store, regionId, importId)
  } catch (error) {
    await removeCurbFiles(blobs, [file])
    throw error instanceof CurbFileError ? new Problem('validation_error', error.message) : error
  }
}

async function findWaitingImport(store: Store, regionId: string, importId: string) {
  const row = await findImport(store, regionId, importId)
  if (row.status !== 'waiting')
    throw new Problem('conflict', 'This import has started and accepts no further files.')
  return row
}

/** Adds a file to an import that waits for further files. */
async function addFile(
  store: Store,
  row: ImportRow,
  { file, hash }: { file: StoredFile; hash: string },
): Promise<CurbImport> {
  await store
    .updateTable('curb_import')
    .set({
      files: JSON.stringify([...getImportFiles(row), file]),
      file_name: `${row.file_name}, ${file.name}`.slice(0, 500),
      file_hash: createHash('sha256').update(row.file_hash).update(hash).digest('hex'),
    })
    .where('import_id', '=', row.import_id)
    .where('status', '=', 'waiting')
    .execute()
  return readImport(store, row.region_id, row.import_id)
}

/** Whether a table has the header for which the mapping of its inventory was confirmed. */
async function hasKnownHeader(
  blobs: BlobStore,
  file: StoredFile,
  { mapping, header }: { mapping?: CurbMapping; header?: string[] },
): Promise<boolean> {
  const survey = await surveyTable(await openCurbFile(blobs, file))
  return mapping !== undefined && JSON.stringify(header ?? []) === JSON.stringify(survey.header)
}

async function surveyImport(blobs: BlobStore, row: ImportRow): Promise<TableSurvey> {
  const [file] = getImportFiles(row)
  if (!file) throw new Problem('conflict', 'The received file is no longer on the server. Send it again.')
  try {
    return await surveyTable(await openCurbFile(blobs, file))
  } catch (error) {
    throw error instanceof CurbFileError ? new Problem('validation_error', error.message) : error
  }
}

/** Rows of a preview. */
const previewRows = 10

/** Reads the columns and first rows of a table by the given, stored or suggested mapping. */
export async function previewImport(
  { state, blobs }: Importing,
  { viewer: { scope }, params, body }: Call<typeof previewCurbImport>,
) {
  const row = await findImport(state.as(scope), params.region_id, params.import_id)
  const survey = await surveyImport(blobs, row)
  const { context, inventory } = await openStaging(state, scope, row, makeEmptyCounts())
  if (inventory.kind !== 'table') throw new Problem('conflict', 'Only tables have columns to map.')
  const { mapping: storedMapping, header } = readSettings(inventory)
  const isStored =
    storedMapping !== undefined && JSON.stringify(header ?? []) === JSON.stringify(survey.header)
  const mapping = body.mapping ?? (isStored ? storedMapping : suggestMapping(survey))
  const rows = stageTableRows(survey.sample, mapping, context).slice(0, previewRows)
  const listColumnValues = (name: string | undefined): string[] =>
    name === undefined ? [] : [...(survey.values.get(name)?.keys() ?? [])].filter((value) => value !== '')
  return {
    header: survey.header,
    mapping,
    rows: rows.map(({ recordId, ...stagedRow }: StagedRow) => ({ ...stagedRow, record_id: recordId })),
    statuses: listColumnValues(mapping.columns.status),
    uses: listColumnValues(mapping.columns.use),
  }
}

/** Starts staging an import that waits or failed, or that is to be read again with another mapping. */
export async function startImport(
  { state, jobs, blobs }: Importing,
  { viewer: { scope }, params, body }: Call<typeof startCurbImport>,
): Promise<CurbImport> {
  const { region_id: regionId, import_id: importId } = params
  const store = state.as(scope)
  const row = await findImport(store, regionId, importId)
  if (!['waiting', 'staged', 'failed'].includes(row.status))
    throw new Problem('conflict', `This import is ${row.status}; it cannot be staged again.`)
  const inventory = await findInventory(store, regionId, row.inventory_id)
  if (inventory.kind === 'table') {
    const { header } = await surveyImport(blobs, row)
    await storeMapping(store, inventory, { mapping: body.mapping, header })
  }
  await store
    .updateTable('curb_import')
    .set({ status: 'staging', problem: null, counts: '{}', lease_until: null })
    .where('import_id', '=', importId)
    .where('status', '=', row.status)
    .execute()
  await jobs.send(stageJob, {})
  return readImport(store, regionId, importId)
}

/** Stores the mapping of a table for its header. Without a new mapping, the stored one is confirmed. */
async function storeMapping(
  store: Store,
  inventory: InventoryRow,
  { mapping, header }: { mapping: CurbMapping | undefined; header: readonly string[] },
): Promise<void> {
  const settings = readSettings(inventory)
  const confirmedMapping = mapping ?? settings.mapping
  if (confirmedMapping?.columns.id === undefined)
    throw new Problem(
      'validation_error',
      'Choose the column with the id of a record, by which the next import finds it again.',
    )
  const missingColumn = Object.values(confirmedMapping.columns).find((name) => !header.includes(name))
  if (missingColumn !== undefined)
    throw new Problem('validation_error', `The file has no column “${missingColumn}”.`)
  await store
    .updateTable('curb_inventory')
    .set({ settings: JSON.stringify({ ...settings, mapping: confirmedMapping, header }) })
    .where('inventory_id', '=', inventory.inventory_id)
    .execute()
}

/** Removes the files of a published import, which are not read again. */
export async function removeImportFiles(
  { state, blobs }: Pick<Importing, 'state' | 'blobs'>,
  scope: Scope,
  importId: string,
): Promise<void> {
  const row = await state
    .as(scope)
    .selectFrom('curb_import')
    .select('files')
    .where('import_id', '=', importId)
    .executeTakeFirst()
  if (!row) return
  await removeCurbFiles(blobs, getImportFiles(row))
  await state
    .as(scope)
    .updateTable('curb_import')
    .set({ files: '[]' })
    .where('import_id', '=', importId)
    .execute()
}

/** Deletes unpublished waiting imports of a feed, because the next one contains their records too. */
export async function removeSuperseded(
  { state, blobs }: Pick<Importing, 'state' | 'blobs'>,
  scope: Scope,
  inventoryId: string,
  createdBy: string,
): Promise<void> {
  const rows = await state
    .as(scope)
    .selectFrom('curb_import')
    .select(['import_id', 'files'])
    .where('inventory_id', '=', inventoryId)
    .where('created_by', '=', createdBy)
    .where('status', 'in', ['staged', 'failed'])
    .execute()
  for (const row of rows) {
    await state.as(scope).deleteFrom('curb_import').where('import_id', '=', row.import_id).execute()
    await removeCurbFiles(blobs, getImportFiles(row))
  }
}

/** Deletes an import that is not published, with its rows and files. Returns the number of rows. */
export async function deleteImport(
  { state, blobs }: Importing,
  { viewer, params }: Call<typeof deleteCurbImport>,
): Promise<{ deleted_rows: number }> {
  const importId = params.import_id
  const store = state.as(viewer.scope)
  const row = await findImport(store, params.region_id, importId)
  if (row.status === 'published') throw new Problem('conflict', 'This import is published. Undo it first.')
  const { numDeletedRows } = await store
    .deleteFrom('curb_import_row')
    .where('import_id', '=', importId)
    .executeTakeFirst()
  await store.deleteFrom('curb_import').where('import_id', '=', importId).execute()
  await removeCurbFiles(blobs, getImportFiles(row))
  return { deleted_rows: Number(numDeletedRows) }
}
