import { randomUUID } from 'node:crypto'
import type { CountImport, CountOptions } from '#contract/curb-counts.ts'
import type { NodeReadable } from '#contract/endpoint.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { type CurbFileStore, openCurbFile, removeCurbFiles, storeCurbFile } from '../../imports/curb-files.ts'
import { CurbFileError } from '../../imports/curb-format.ts'
import { curbOccupancy } from '../../product-names.ts'
import {
  type CountImportRow,
  getFiles,
  findCountImport,
  createEmptyReport,
  readOptions,
  readCountImport,
  readReport,
} from './import-store.ts'
import { removeStaged, stageCountsJob } from './stage-job.ts'
import { inspectCounts } from './stage-counts.ts'

export interface CountImporter extends CurbFileStore {
  state: State
  facts: Facts
  jobs: Pick<Jobs, 'send'>
}

interface ImportCall {
  viewer: Pick<Viewer, 'scope' | 'email'>
  params: { region_id: string; import_id: string }
}

interface UploadCall {
  viewer: Pick<Viewer, 'scope' | 'email'>
  params: { region_id: string }
  query: CountOptions & { file_name: string }
  /** The file. */
  body: NodeReadable
  at: Date
}

/** Receives a file of counts and stages it, unless the user must first choose a date for it. */
export async function uploadCounts(
  { state, jobs, blobs, dataDir }: CountImporter,
  { viewer: { scope, email }, params, query, body, at }: UploadCall,
): Promise<CountImport> {
  const { region_id: regionId } = params
  const { file_name: fileName, ...options } = query
  await findRegion(state, scope, regionId)
  const { hash, ...file } = await storeCurbFile({ blobs, dataDir }, body, fileName)
  try {
    const { columns, needsDate } = await inspectCounts(await openCurbFile(blobs, file))
    const isWaiting = needsDate && options.date === undefined
    // Surveys contain parts of plates, so their files must not be stored while waiting for a date.
    if (isWaiting && columns.layout === 'survey')
      throw new Problem(
        'validation_error',
        'The survey has no date. Send it again with the day on which it was made.',
      )
    const importId = randomUUID()
    await state
      .as(scope)
      .insertInto('curb_count_import')
      .values({
        import_id: importId,
        region_id: regionId,
        file_name: fileName,
        file_hash: hash,
        status: isWaiting ? 'waiting' : 'staging',
        layout: columns.layout,
        options: JSON.stringify(options),
        report: JSON.stringify({ ...createEmptyReport(), needs: isWaiting ? ['date'] : [] }),
        files: JSON.stringify([file]),
        created_by: email,
        created_time: at,
      })
      .execute()
    if (!isWaiting) await jobs.send(stageCountsJob, {})
    return await readCountImport(state.as(scope), regionId, importId)
  } catch (error) {
    await removeCurbFiles(blobs, [file])
    throw error instanceof CurbFileError ? new Problem('validation_error', error.message) : error
  }
}

/** Stages an import that waits for a date or failed, or stages it again with other options. */
export async function startCountImport(
  { state, jobs }: CountImporter,
  { viewer: { scope }, params, body: options }: ImportCall & { body: CountOptions },
): Promise<CountImport> {
  const { region_id: regionId, import_id: importId } = params
  const row = await findCountImport(state.as(scope), regionId, importId)
  if (!['waiting', 'staged', 'failed'].includes(row.status))
    throw new Problem('conflict', `This import is ${row.status}; it cannot be staged again.`)
  if (!getFiles(row).length)
    throw new Problem('conflict', 'The received file is no longer on the server. Send it again.')
  const newOptions = { ...readOptions(row), ...options }
  if (readReport(row).needs.includes('date') && newOptions.date === undefined)
    throw new Problem('validation_error', 'Choose the week that the averages of this file represent.')
  await state
    .as(scope)
    .updateTable('curb_count_import')
    .set({
      status: 'staging',
      problem: null,
      options: JSON.stringify(newOptions),
      report: JSON.stringify(createEmptyReport()),
      lease_until: null,
    })
    .where('import_id', '=', importId)
    .where('status', '=', row.status)
    .execute()
  await jobs.send(stageCountsJob, {})
  return readCountImport(state.as(scope), regionId, importId)
}

/** Marks the days of an import as dirty, so that their occupancy is derived again. */
const markDaysDirty = (
  state: State,
  scope: Scope,
  row: Pick<CountImportRow, 'region_id' | 'report'>,
): Promise<void> =>
  markDirty(
    state,
    scope,
    { product: curbOccupancy, regionId: row.region_id },
    { spans: readReport(row).days },
  )

/** Publishes or undoes an import; its days get dirty. @throws Problem `conflict` if its status differs. */
export async function setCountStatus(
  { state, blobs }: Pick<CountImporter, 'state' | 'blobs'>,
  { viewer: { scope, email }, params, at }: ImportCall & { at: Date },
  status: 'published' | 'undone',
): Promise<CountImport> {
  const { region_id: regionId, import_id: importId } = params
  const row = await findCountImport(state.as(scope), regionId, importId)
  const expectedStatus = status === 'published' ? 'staged' : 'published'
  const { numUpdatedRows } = await state
    .as(scope)
    .updateTable('curb_count_import')
    .set(
      status === 'published'
        ? { status, published_by: email, published_time: at, files: '[]' }
        : { status, undone_by: email, undone_time: at },
    )
    .where('import_id', '=', importId)
    .where('status', '=', expectedStatus)
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    throw new Problem(
      'conflict',
      `This import is ${row.status}; only one that is ${expectedStatus} can be ${status === 'published' ? 'published' : 'undone'}.`,
    )
  await markDaysDirty(state, scope, row)
  if (status === 'published') await removeCurbFiles(blobs, getFiles(row))
  return readCountImport(state.as(scope), regionId, importId)
}

/** Deletes an import. @throws Problem `conflict` if it is published. */
export async function deleteCountImport(
  stores: Pick<CountImporter, 'state' | 'facts' | 'blobs'>,
  { viewer: { scope }, params }: ImportCall,
): Promise<{ deleted: true }> {
  const { region_id: regionId, import_id: importId } = params
  const row = await findCountImport(stores.state.as(scope), regionId, importId)
  if (row.status === 'published') throw new Problem('conflict', 'This import is published. Undo it first.')
  await stores.state
    .as(scope)
    .deleteFrom('curb_count_import')
    .where('import_id', '=', importId)
    .where('status', '!=', 'published')
    .execute()
  await removeStaged(stores, scope, importId)
  await removeCurbFiles(stores.blobs, getFiles(row))
  return { deleted: true }
}

interface ChooseCall extends ImportCall {
  body: { places: readonly { place: string; zone_ids: readonly string[] }[] }
  at: Date
}

/** Stores which zones the user chose for places, for this import and later ones. */
export async function matchCountPlaces(
  { state }: Pick<CountImporter, 'state'>,
  { viewer: { scope, email }, params, body: { places }, at }: ChooseCall,
): Promise<CountImport> {
  const { region_id: regionId, import_id: importId } = params
  const row = await findCountImport(state.as(scope), regionId, importId)
  const chosenIds = [...new Set(places.flatMap(({ zone_ids: zoneIds }) => zoneIds))]
  const zones = chosenIds.length
    ? await state
        .as(scope)
        .selectFrom('curb_zone')
        .select('curb_zone_id')
        .where('region_id', '=', regionId)
        .where('curb_zone_id', 'in', chosenIds)
        .execute()
    : []
  const existingIds = new Set(zones.map((zone) => zone.curb_zone_id))
  const missingId = chosenIds.find((id) => !existingIds.has(id))
  if (missingId !== undefined) throw new Problem('validation_error', `There is no curb zone ${missingId}.`)
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      for (const { place, zone_ids: zoneIds } of places) {
        const choice = { zone_ids: JSON.stringify(zoneIds), chosen_by: email, chosen_time: at }
        await store
          .insertInto('curb_place_choice')
          .values({ region_id: regionId, place, ...choice })
          .onConflict((conflict) => conflict.columns(['region_id', 'place']).doUpdateSet(choice))
          .execute()
        await store
          .updateTable('curb_count_place')
          .set({ zone_ids: choice.zone_ids, match: zoneIds.length ? 'hand' : 'none', distance_m: null })
          .where('import_id', '=', importId)
          .where('place', '=', place)
          .execute()
      }
    })
  if (row.status === 'published') await markDaysDirty(state, scope, row)
  return readCountImport(state.as(scope), regionId, importId)
}
