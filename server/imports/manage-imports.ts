import { randomUUID } from 'node:crypto'
import type * as contract from '#contract/imports.ts'
import type { Import, ImportRequirement } from '#contract/imports.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Store } from '#server/stores/state.ts'
import { type RemovalServices, cancelImport, type RemovedImport } from './cancel-import.ts'
import { type ExaminedFile, examineFile, type FileUpload } from './examine-file.ts'
import { getUploadHash, toFileAnswers } from './files/file-answers.ts'
import type { FileAnswers } from './files/file-kind.ts'
import { wakeImports } from './import-queue.ts'
import { findOpenQuestions, listTimeColumns } from './import-questions.ts'
import { lacksStations } from './preview-import.ts'
import { findImportRow, type ImportRow, readImport } from './read-import.ts'
import { hashHeader, receiveTripFile } from './receive-trip-file.ts'
import { summarizeStations, writeStations } from './stations/station-places.ts'
import { removeTripFile, getStationsKey } from './trip-uploads.ts'
import type { StoredSurvey } from './survey-file.ts'

export interface ImportServices extends RemovalServices {
  jobs: Pick<Jobs, 'send'>
  dataDir: string
}

/** Returns whether an upload has parameters besides the name of the file. */
const hasAnswers = (upload: FileUpload): boolean =>
  Object.entries(upload).some(([name, value]) => name !== 'file_name' && value !== undefined)

/**
 * Creates an import from an uploaded file. Files of a known layout start immediately; others wait for a
 * mapping or other answers. If the same table (compressed or not) was sent before, returns that import.
 */
export async function uploadTrips(
  imports: ImportServices,
  {
    viewer,
    params,
    query: upload,
    body,
    at,
  }: Pick<Call<typeof contract.uploadTrips>, 'viewer' | 'params' | 'query' | 'body' | 'at'>,
): Promise<Import> {
  const { state, dataDir, blobs } = imports
  const region = await findRegion(state, viewer.scope, params.region_id)
  const file = await receiveTripFile({ dataDir, blobs }, body, (filePath) =>
    examineFile(state, viewer.scope, { region, upload, filePath }),
  )
  const store = state.as(viewer.scope)
  const contentHash = getUploadHash(file.survey.contentHash, file.recognized)
  const earlierImport = await findEarlierImport(store, params.region_id, contentHash)
  if (earlierImport?.status === 'canceling')
    throw new Problem('conflict', 'This file is being removed. Send it again in a moment.')
  // A waiting file that is sent again with answers replaces the earlier upload.
  if (earlierImport?.status === 'needs_mapping' && hasAnswers(upload))
    await deleteImport(imports, {
      viewer,
      params: { region_id: params.region_id, import_uuid: earlierImport.import_id },
    })
  else if (earlierImport) {
    await removeTripFile(blobs, file.filePath)
    return readImport(earlierImport, at, earlierImport.import_id)
  }
  const answers = collectAnswers(file, upload, region)
  if (answers.stations) await blobs.put(getStationsKey(file.filePath), writeStations(file.stations))
  const { asks, notes } = findRequirements(file, answers, region)
  const isReady = asks.length === 0
  const row = await store
    .insertInto('import')
    .values({
      import_id: randomUUID(),
      region_id: params.region_id,
      file_name: upload.file_name,
      file_path: file.filePath,
      bytes: file.bytes,
      content_hash: contentHash,
      header_hash: file.recognized ? file.recognized.kind : hashHeader(file.header),
      kind: file.recognized?.kind ?? 'trips',
      asks: JSON.stringify(asks),
      given: JSON.stringify(answers),
      status: isReady ? 'queued' : 'needs_mapping',
      layout: file.layout,
      mapping: file.mapping && JSON.stringify(file.mapping),
      notes: JSON.stringify(notes),
      survey: JSON.stringify(toStoredSurvey(file)),
      created_by: viewer.email,
      created_time: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (isReady) await wakeImports(imports)
  return readImport(row, at)
}

/** Finds the import of the same content, unless it failed. */
const findEarlierImport = (
  store: Store,
  regionId: string,
  contentHash: string,
): Promise<ImportRow | undefined> =>
  store
    .selectFrom('import')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('content_hash', '=', contentHash)
    .where('status', '!=', 'failed')
    .executeTakeFirst()

/** Returns the answers that came with the upload or are in the file itself. */
function collectAnswers(
  { recognized, stations, survey }: ExaminedFile,
  upload: FileUpload,
  region: Region,
): FileAnswers {
  return {
    ...toFileAnswers(upload),
    ...recognized?.answers,
    ...(stations.length ? { stations: summarizeStations(survey.zip?.stations ?? [], stations, region) } : {}),
  }
}

/** Finds what the user must still answer before rows are read, with notes about it; empty if nothing. */
function findRequirements(
  { recognized, mapping, survey }: ExaminedFile,
  answers: FileAnswers,
  region: Region,
): { asks: ImportRequirement[]; notes: string[] } {
  if (!recognized && !mapping) return { asks: ['mapping'], notes: [] }
  const timeColumns = mapping
    ? listTimeColumns(mapping)
    : Object.keys(recognized?.dates ?? {}).concat(recognized?.table?.timeColumns ?? [])
  const openQuestions = findOpenQuestions(survey, timeColumns, answers, region)
  const stations: ImportRequirement[] = mapping && lacksStations(mapping, answers) ? ['stations'] : []
  const asks = [...(recognized?.missingAnswers ?? stations), ...openQuestions.asks]
  return { asks, notes: asks.length === 0 ? [] : openQuestions.notes }
}

const toStoredSurvey = ({ survey, placeColumns }: ExaminedFile): StoredSurvey => ({
  rows: survey.rows,
  dates: survey.dates,
  ...(survey.zip ? { zip: survey.zip } : {}),
  places: placeColumns ? survey.places : null,
  placeColumns,
})

/** Continues a failed import after its last stored chunk. */
export async function retryImport(
  imports: ImportServices,
  {
    viewer,
    params: { region_id: regionId, import_uuid: importId },
    at,
  }: Pick<Call<typeof contract.retryImport>, 'viewer' | 'params' | 'at'>,
): Promise<Import> {
  const row = await findImportRow(imports.state.as(viewer.scope), regionId, importId)
  if (row.status !== 'failed' || (row.kind === 'trips' && !row.mapping))
    throw new Problem('conflict', 'Only a failed import can be retried.')
  await imports.state
    .as(viewer.scope)
    .updateTable('import')
    .set({ status: 'queued', problem: null, finished_time: null, attempts: 0 })
    .where('import_id', '=', importId)
    .execute()
  await wakeImports(imports)
  return readImport(await findImportRow(imports.state.as(viewer.scope), regionId, importId), at)
}

/** Cancels an import, or removes one that has ended, with its data, rejected rows, file and record. */
export async function deleteImport(
  imports: ImportServices,
  { viewer, params }: Pick<Call<typeof contract.deleteImport>, 'viewer' | 'params'>,
): Promise<RemovedImport> {
  const removed = await cancelImport(imports, viewer.scope, params.region_id, params.import_uuid)
  // The next file of the region could not start during the removal.
  await wakeImports(imports)
  return removed
}
