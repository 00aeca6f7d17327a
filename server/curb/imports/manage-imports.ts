import { createHash, randomUUID } from 'node:crypto'
import type { NodeReadable } from '#contract/endpoint.ts'
import type { CurbImport, CurbMapping } from '#contract/curb-imports.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { CurbFileError, type StagedRow } from './curb-format.ts'
import {
  type CurbFileStore,
  openCurbFile,
  removeCurbFiles,
  storeCurbFile,
  type StoredFile,
} from './curb-files.ts'
import { stageTableRows } from './formats/table-format.ts'
import {
  findImport,
  findInventory,
  type ImportRow,
  noCounts,
  readImport,
  settingsOf,
} from './import-store.ts'
import { openStaging, stageJob } from './stage-import.ts'
import { suggestMapping, surveyTable, type TableSurvey } from './table/suggest-mapping.ts'

export interface Importing extends CurbFileStore {
  state: State
  jobs: Pick<Jobs, 'send'>
}

export interface Upload {
  file_name: string
  with_import?: string | undefined
  wait?: boolean | undefined
}

const filesOf = (row: Pick<ImportRow, 'files'>): StoredFile[] => row.files as StoredFile[]

/** Takes a file of an inventory and stages it, unless it waits for a mapping or further files. */
export async function receiveCurbFile(
  { state, jobs, blobs, dataDir }: Importing,
  viewer: Viewer,
  regionId: string,
  inventoryId: string,
  { file_name: fileName, with_import: withImport, wait = false }: Upload,
  body: NodeReadable,
  at: Date,
): Promise<CurbImport> {
  const { scope, email } = viewer
  const inventory = await findInventory(state.as(scope), regionId, inventoryId)
  if (inventory.kind === 'drawn')
    throw new Problem('conflict', 'Drawn zones are not a source of files. Add a source first.')
  const other = withImport === undefined ? null : await waitingImport(state, viewer, regionId, withImport)
  if (other && other.inventory_id !== inventoryId)
    throw new Problem('conflict', 'The other file belongs to another source.')
  const { hash, ...file } = await storeCurbFile({ blobs, dataDir }, body, fileName)
  try {
    if (other) return await addFile(state, viewer, regionId, other, file, hash)
    const isKnown = inventory.kind !== 'table' || (await hasKnownHeader(blobs, file, settingsOf(inventory)))
    const status = wait || inventory.kind === 'signs' || !isKnown ? 'waiting' : 'staging'
    const importId = randomUUID()
    await state
      .as(scope)
      .insertInto('curb_import')
      .values({
        import_id: importId,
        region_id: regionId,
        inventory_id: inventoryId,
        file_name: fileName,
        file_hash: hash,
        status,
        created_by: email,
        created_time: at,
        files: JSON.stringify([file]),
      })
      .execute()
    if (status === 'staging') await jobs.send(stageJob, {})
    return await readImport(state.as(scope), regionId, importId)
  } catch (error) {
    await removeCurbFiles(blobs, [file])
    throw error instanceof CurbFileError ? new Problem('validation_error', error.message) : error
  }
}

async function waitingImport(state: State, { scope }: Viewer, regionId: string, importId: string) {
  const row = await findImport(state.as(scope), regionId, importId)
  if (row.status !== 'waiting')
    throw new Problem('conflict', 'This import has started and accepts no further files.')
  return row
}

async function addFile(
  state: State,
  { scope }: Viewer,
  regionId: string,
  row: ImportRow,
  file: StoredFile,
  hash: string,
): Promise<CurbImport> {
  await state
    .as(scope)
    .updateTable('curb_import')
    .set({
      files: JSON.stringify([...filesOf(row), file]),
      file_name: `${row.file_name}, ${file.name}`.slice(0, 500),
      file_hash: createHash('sha256').update(row.file_hash).update(hash).digest('hex'),
    })
    .where('import_id', '=', row.import_id)
    .where('status', '=', 'waiting')
    .execute()
  return readImport(state.as(scope), regionId, row.import_id)
}

async function hasKnownHeader(
  blobs: BlobStore,
  file: StoredFile,
  { mapping, header }: { mapping?: CurbMapping; header?: string[] },
): Promise<boolean> {
  const survey = await surveyTable(await openCurbFile(blobs, file))
  return mapping !== undefined && JSON.stringify(header ?? []) === JSON.stringify(survey.header)
}

async function surveyOf(blobs: BlobStore, row: ImportRow): Promise<TableSurvey> {
  const [file] = filesOf(row)
  if (!file) throw new Problem('conflict', 'The received file is no longer on the server. Send it again.')
  try {
    return await surveyTable(await openCurbFile(blobs, file))
  } catch (error) {
    throw error instanceof CurbFileError ? new Problem('validation_error', error.message) : error
  }
}

const previewRows = 10

/** Columns and first rows of a table, as a mapping reads them. */
export async function previewImport(
  { state, blobs }: Importing,
  { scope }: Viewer,
  regionId: string,
  importId: string,
  given: CurbMapping | null,
) {
  const row = await findImport(state.as(scope), regionId, importId)
  const survey = await surveyOf(blobs, row)
  const { context, inventory } = await openStaging(state, scope, row, noCounts())
  if (inventory.kind !== 'table') throw new Problem('conflict', 'Only tables have columns to map.')
  const { mapping: stored, header } = settingsOf(inventory)
  const isStored = stored !== undefined && JSON.stringify(header ?? []) === JSON.stringify(survey.header)
  const mapping = given ?? (isStored ? stored : suggestMapping(survey))
  const rows = stageTableRows(survey.sample, mapping, context).slice(0, previewRows)
  const valuesOf = (name: string | undefined): string[] =>
    name === undefined ? [] : [...(survey.values.get(name)?.keys() ?? [])].filter((value) => value !== '')
  return {
    header: survey.header,
    mapping,
    rows: rows.map(({ row: number, recordId, ...each }: StagedRow) => ({
      ...each,
      row: number,
      record_id: recordId,
    })),
    statuses: valuesOf(mapping.columns.status),
    uses: valuesOf(mapping.columns.use),
  }
}

/** Stages an import that waits, failed, or is to be read again with another mapping. */
export async function startImport(
  { state, jobs, blobs }: Importing,
  { scope }: Viewer,
  regionId: string,
  importId: string,
  mapping: CurbMapping | undefined,
): Promise<CurbImport> {
  const row = await findImport(state.as(scope), regionId, importId)
  if (!['waiting', 'staged', 'failed'].includes(row.status))
    throw new Problem('conflict', `This import is ${row.status}; it cannot be staged again.`)
  const inventory = await findInventory(state.as(scope), regionId, row.inventory_id)
  const settings = settingsOf(inventory)
  if (inventory.kind === 'table') await storeMapping()
  await state
    .as(scope)
    .updateTable('curb_import')
    .set({ status: 'staging', problem: null, counts: '{}', lease_until: null })
    .where('import_id', '=', importId)
    .where('status', '=', row.status)
    .execute()
  await jobs.send(stageJob, {})
  return readImport(state.as(scope), regionId, importId)

  async function storeMapping(): Promise<void> {
    const { header } = await surveyOf(blobs, row)
    const used = mapping ?? settings.mapping
    if (used?.columns.id === undefined)
      throw new Problem(
        'validation_error',
        'Choose the column with the id of a record, by which the next import finds it again.',
      )
    const missing = Object.values(used.columns).find((name) => !header.includes(name))
    if (missing !== undefined) throw new Problem('validation_error', `The file has no column “${missing}”.`)
    await state
      .as(scope)
      .updateTable('curb_inventory')
      .set({ settings: JSON.stringify({ ...settings, mapping: used, header }) })
      .where('inventory_id', '=', inventory.inventory_id)
      .execute()
  }
}

/** Removes the files of an import: what is published is not read again. */
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
  await removeCurbFiles(blobs, filesOf(row))
  await state
    .as(scope)
    .updateTable('curb_import')
    .set({ files: '[]' })
    .where('import_id', '=', importId)
    .execute()
}

/** Removes earlier imports of a feed that nobody published: the next one replaces what they have. */
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
    await removeCurbFiles(blobs, filesOf(row))
  }
}

/** Removes an import that is not published, with its rows and files. */
export async function deleteImport(
  { state, blobs }: Importing,
  { scope }: Viewer,
  regionId: string,
  importId: string,
): Promise<{ deleted_rows: number }> {
  const row = await findImport(state.as(scope), regionId, importId)
  if (row.status === 'published') throw new Problem('conflict', 'This import is published. Undo it first.')
  const { numDeletedRows } = await state
    .as(scope)
    .deleteFrom('curb_import_row')
    .where('import_id', '=', importId)
    .executeTakeFirst()
  await state.as(scope).deleteFrom('curb_import').where('import_id', '=', importId).execute()
  await removeCurbFiles(blobs, filesOf(row))
  return { deleted_rows: Number(numDeletedRows) }
}
