import { randomUUID } from 'node:crypto'
import type { NodeReadable } from '#contract/endpoint.ts'
import { type Import, type ImportRequirement, TripMapping, usesStations } from '#contract/imports.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { type RemovalServices, cancelImport, type RemovedImport } from './cancel-import.ts'
import { readHeader, readFirstRecord, originalName, repeatedNames } from './file-header.ts'
import type { StoredAnswers, FileHead, RecognizedFile } from './files/file-kind.ts'
import { type AnswerParams, uploadHash, toStoredAnswers } from './files/file-answers.ts'
import { wakeImports } from './import-queue.ts'
import { fullName } from './open-trip-file.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { findOpenQuestions, placeColumns, timeColumns } from './open-questions.ts'
import { lacksStations, mappingProblems } from './preview-import.ts'
import { findImportRow, readImport } from './read-import.ts'
import { headerHash, receiveTripFile } from './receive-trip-file.ts'
import { surveyOnThread } from './trips/read-trip-chunks.ts'
import { recognizeLayout } from './recognize-layout.ts'
import { readStations } from './stations/read-stations.ts'
import { summarizeStations, stationsContent } from './stations/station-places.ts'
import { removeTripFile, stationsKey } from './trip-uploads.ts'
import type { StoredSurvey } from './survey-file.ts'
import { civilClock, type CivilClock } from '#contract/civil-clock.ts'
import { plainName } from '#server/table-files/column-names.ts'
import { fileKinds } from './files/file-kinds.ts'
import { isJsonFile, readJsonFile } from './files/read-file-text.ts'

/**
 * Recognizes the kind of a file by its content; null for trips and unknown tables. Throws TableFileError for
 * unknown JSON.
 */
export async function recognizeFile(
  filePath: string,
  fileName: string,
  answers: StoredAnswers,
  clock: CivilClock,
): Promise<RecognizedFile | null> {
  const isJson = await isJsonFile(filePath)
  const first = isJson ? { header: [], firstLine: '', isUnclosed: false } : await readFirstRecord(filePath)
  if (!first || recognizeLayout(first.header, fileName)) return null
  const head: FileHead = {
    fileName,
    json: isJson ? await readJsonFile(filePath, 'the table') : undefined,
    header: first.header.map(originalName),
    firstLine: first.firstLine,
  }
  for (const each of fileKinds) {
    const recognized = each.recognize(head, answers, clock)
    if (!recognized) continue
    const usedColumns = new Set(recognized.table?.columns.map(plainName))
    const repeated = repeatedNames(first.header).find(({ name }) => usedColumns.has(plainName(name)))
    if (repeated)
      throw new TableFileError(
        `Columns ${repeated.positions.join(' and ')} of the file have the same name, '${repeated.name}'. Rename or remove all but one and send it again.`,
      )
    return recognized
  }
  if (isJson)
    throw new TableFileError(
      'The file is JSON, but neither a list of 311 requests nor the vehicles of a GBFS feed. Send trips as CSV; boundaries are imported in Geographies.',
    )
  return null
}

/** Dependencies of the use cases for imports. */
export interface ImportServices extends RemovalServices {
  jobs: Pick<Jobs, 'send'>
  dataDir: string
}

/**
 * Finds the mapping of a header: that of its layout, else the one remembered for this header; null if there
 * is none.
 */
async function findMapping(
  { state }: ImportServices,
  viewer: Viewer,
  header: string[],
  fileName: string,
): Promise<{ layout: string | null; mapping: TripMapping } | null> {
  const layout = recognizeLayout(header, fileName)
  if (layout) return layout
  const remembered = await state
    .as(viewer.scope)
    .selectFrom('import_mapping')
    .select('mapping')
    .where('header_hash', '=', headerHash(header))
    .executeTakeFirst()
  const mapping = remembered && TripMapping.parse(remembered.mapping)
  // Headers that differ only in spelling share a remembered mapping, but its column names may not fit.
  return mapping && mappingProblems(header, mapping).length === 0 ? { layout: null, mapping } : null
}

/** The parameters of an upload. */
interface FileUpload extends AnswerParams {
  file_name: string
  vehicle_type?: TripMapping['vehicle_type'] | undefined
}

const hasAnswers = (upload: FileUpload): boolean =>
  Object.entries(upload).some(([name, answer]) => name !== 'file_name' && answer !== undefined)

/**
 * Reads a received file completely: its kind, the mapping of its columns if known, and a survey of its rows.
 */
async function examineFile(
  imports: ImportServices,
  viewer: Viewer,
  region: Region,
  upload: FileUpload,
  filePath: string,
) {
  const name = await fullName(filePath, upload.file_name)
  const recognized = await recognizeFile(filePath, name, toStoredAnswers(upload), civilClock(region.timezone))
  const header = recognized ? [] : await readHeader(filePath)
  const known = recognized ? null : await findMapping(imports, viewer, header, name)
  const mapping = known && {
    ...known.mapping,
    date_order: upload.date_order ?? null,
    ...(upload.operator ? { operator: upload.operator } : {}),
    ...(upload.vehicle_type ? { vehicle_type: upload.vehicle_type } : {}),
  }
  const isTable = !recognized || recognized.table !== undefined
  const place = mapping ? placeColumns(mapping) : (recognized?.table?.place ?? null)
  // During the upload, so that a damaged file is rejected before any row is stored. The content hash requires
  // the complete file, too.
  const survey = await surveyOnThread({ filePath, isTable, place, center: region })
  const fileCount = survey.zip?.read.length ?? 1
  if (
    recognized?.kind === 'snapshot' &&
    fileCount > 1 &&
    (recognized.given.snapshotTime !== undefined || recognized.asks.includes('snapshot_time'))
  ) {
    throw new TableFileError(
      `The zip archive holds ${fileCount} lists of vehicles without times of their own. Send them one by one.`,
    )
  }
  if (isTable && survey.rows === 0)
    throw new TableFileError('The file has column names, but no rows below them.')
  const mayUseStations = !recognized && survey.zip?.stations && (!mapping || usesStations(mapping))
  return {
    stations: mayUseStations ? (await readStations(filePath)).stations : [],
    recognized,
    header,
    place,
    layout: recognized?.layout ?? known?.layout ?? null,
    mapping,
    survey: { ...survey, dates: recognized?.dates ?? survey.dates },
  }
}

/**
 * Creates an import from an uploaded file. Files of a known layout start immediately; others wait for a
 * mapping or other answers. If the same table (compressed or not) was sent before, returns that import.
 */
export async function createImport(
  imports: ImportServices,
  viewer: Viewer,
  regionId: string,
  upload: FileUpload,
  body: NodeReadable,
  at: Date,
): Promise<Import> {
  const { state, dataDir, blobs } = imports
  const region = await findRegion(state, viewer.scope, regionId)
  const file = await receiveTripFile({ dataDir, blobs }, body, (filePath) =>
    examineFile(imports, viewer, region, upload, filePath),
  )
  const { recognized, mapping, survey } = file
  const contentHash = uploadHash(survey.contentHash, recognized)
  const store = state.as(viewer.scope)
  const earlier = await store
    .selectFrom('import')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('content_hash', '=', contentHash)
    .where('status', '!=', 'failed')
    .executeTakeFirst()
  if (earlier?.status === 'canceling')
    throw new Problem('conflict', 'This file is being removed. Send it again in a moment.')
  // A waiting file that is sent again with answers replaces the earlier upload.
  if (earlier?.status === 'needs_mapping' && hasAnswers(upload))
    await deleteImport(imports, viewer, regionId, earlier.import_id)
  else if (earlier) {
    await removeTripFile(blobs, file.filePath)
    return readImport(earlier, at, earlier.import_id)
  }
  const answers: StoredAnswers = {
    ...toStoredAnswers(upload),
    ...recognized?.given,
    ...(file.stations.length
      ? { stations: summarizeStations(survey.zip?.stations ?? [], file.stations, region) }
      : {}),
  }
  if (answers.stations) await blobs.put(stationsKey(file.filePath), stationsContent(file.stations))
  const times = mapping
    ? timeColumns(mapping)
    : Object.keys(recognized?.dates ?? {}).concat(recognized?.table?.times ?? [])
  const open = findOpenQuestions(survey, times, answers, region)
  const stations: ImportRequirement[] = mapping && lacksStations(mapping, answers) ? ['stations'] : []
  const isKnown = recognized !== null || mapping !== null
  const asks: ImportRequirement[] = isKnown ? [...(recognized?.asks ?? stations), ...open.asks] : ['mapping']
  const isReady = asks.length === 0
  const stored: StoredSurvey = {
    rows: survey.rows,
    dates: survey.dates,
    ...(survey.zip ? { zip: survey.zip } : {}),
    places: file.place ? survey.places : null,
    placeColumns: file.place,
  }
  const row = await store
    .insertInto('import')
    .values({
      import_id: randomUUID(),
      region_id: regionId,
      file_name: upload.file_name,
      file_path: file.filePath,
      bytes: file.bytes,
      content_hash: contentHash,
      header_hash: recognized ? recognized.kind : headerHash(file.header),
      kind: recognized?.kind ?? 'trips',
      asks: JSON.stringify(asks),
      given: JSON.stringify(answers),
      status: isReady ? 'queued' : 'needs_mapping',
      layout: file.layout,
      mapping: mapping && JSON.stringify(mapping),
      notes: JSON.stringify(isReady || !isKnown ? [] : open.notes),
      survey: JSON.stringify(stored),
      created_by: viewer.email,
      created_time: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (isReady) await wakeImports(imports)
  return readImport(row, at)
}

/** Continues a failed import after its last stored chunk. */
export async function retryImport(
  imports: ImportServices,
  viewer: Viewer,
  regionId: string,
  importId: string,
  at: Date,
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
  viewer: Viewer,
  regionId: string,
  importId: string,
): Promise<RemovedImport> {
  const removed = await cancelImport(imports, viewer.scope, regionId, importId)
  // The next file of the region could not start during the removal.
  await wakeImports(imports)
  return removed
}
