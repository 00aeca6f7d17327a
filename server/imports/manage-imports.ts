import { randomUUID } from 'node:crypto'
import type { NodeReadable } from '#contract/endpoint.ts'
import { type Import, type ImportRequirement, TripMapping, usesStations } from '#contract/imports.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { type Canceling, cancelImport, type RemovedImport } from './cancel-import.ts'
import { readHeader, firstRecord, givenName, repeatedNames } from './file-header.ts'
import type { FileGiven, FileHead, Recognized } from './files/file-kind.ts'
import { type Answers, contentHashOf, storedAnswers } from './files/file-answers.ts'
import { wakeImports } from './import-queue.ts'
import { fullName } from './open-trip-file.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { openQuestions, placeColumns, timeColumns } from './open-questions.ts'
import { lacksStations, mappingProblems } from './preview-import.ts'
import { findImportRow, readImport } from './read-import.ts'
import { headerHash, receiveTripFile } from './receive-trip-file.ts'
import { surveyOnThread } from './trips/read-trip-chunks.ts'
import { recognizeLayout } from './recognize-layout.ts'
import { readStations } from './stations/read-stations.ts'
import { givenStations, stationsContent } from './stations/station-places.ts'
import { removeTripFile, stationsKey } from './trip-uploads.ts'
import type { StoredSurvey } from './survey-file.ts'
import { civilClock, type CivilClock } from '#contract/civil-clock.ts'
import { plainName } from '#server/table-files/column-names.ts'
import { fileKinds } from './files/file-kinds.ts'
import { isJsonFile } from './files/is-json-file.ts'
import { readJsonFile } from './files/read-whole.ts'

/** The kind of a file by its content; null for trips and unknown content. Throws TableFileError for unusable JSON. */
export async function recognizeFile(
  filePath: string,
  fileName: string,
  given: FileGiven,
  clock: CivilClock,
): Promise<Recognized | null> {
  const isJson = await isJsonFile(filePath)
  const first = isJson ? { header: [], firstLine: '', isUnclosed: false } : await firstRecord(filePath)
  if (!first || recognizeLayout(first.header, fileName)) return null
  const head: FileHead = {
    fileName,
    json: isJson ? await readJsonFile(filePath, 'the table') : undefined,
    header: first.header.map(givenName),
    firstLine: first.firstLine,
  }
  for (const each of fileKinds) {
    const recognized = each.recognize(head, given, clock)
    if (!recognized) continue
    const used = new Set(recognized.table?.columns.map(plainName))
    const twice = repeatedNames(first.header).find(({ name }) => used.has(plainName(name)))
    if (twice)
      throw new TableFileError(
        `Columns ${twice.positions.join(' and ')} of the file have the same name, '${twice.name}'. Rename or remove all but one and send it again.`,
      )
    return recognized
  }
  if (isJson)
    throw new TableFileError(
      'The file is JSON, but neither a list of 311 requests nor the vehicles of a GBFS feed. Send trips as CSV; boundaries are imported in Geographies.',
    )
  return null
}

export interface Imports extends Canceling {
  jobs: Pick<Jobs, 'send'>
  dataDir: string
}

/** The mapping of a header: of its layout, else the remembered one. */
async function knownMapping(
  { state }: Imports,
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
  // Headers that differ only in spelling share a remembered mapping, but not their column names.
  return mapping && mappingProblems(header, mapping).length === 0 ? { layout: null, mapping } : null
}

interface FileUpload extends Answers {
  file_name: string
  vehicle_type?: TripMapping['vehicle_type'] | undefined
}

const hasAnswers = (upload: FileUpload): boolean =>
  Object.entries(upload).some(([name, answer]) => name !== 'file_name' && answer !== undefined)

/** Reads a received file as a whole: its kind, the mapping of its columns if known, and a survey of its rows. */
async function examine(
  imports: Imports,
  viewer: Viewer,
  region: Region,
  upload: FileUpload,
  filePath: string,
) {
  const name = await fullName(filePath, upload.file_name)
  const recognized = await recognizeFile(filePath, name, storedAnswers(upload), civilClock(region.timezone))
  const header = recognized ? [] : await readHeader(filePath)
  const known = recognized ? null : await knownMapping(imports, viewer, header, name)
  const mapping = known && {
    ...known.mapping,
    date_order: upload.date_order ?? null,
    ...(upload.operator ? { operator: upload.operator } : {}),
    ...(upload.vehicle_type ? { vehicle_type: upload.vehicle_type } : {}),
  }
  const isTable = !recognized || recognized.table !== undefined
  const place = mapping ? placeColumns(mapping) : (recognized?.table?.place ?? null)
  // During the upload: a broken file is refused before anything of it is stored, and the content hash needs all of it.
  const survey = await surveyOnThread({ filePath, isTable, place, center: region })
  const entries = survey.zip?.read.length ?? 1
  if (
    recognized?.kind === 'snapshot' &&
    entries > 1 &&
    (recognized.given.snapshotTime !== undefined || recognized.asks.includes('snapshot_time'))
  ) {
    throw new TableFileError(
      `The zip archive holds ${entries} lists of vehicles without times of their own. Send them one by one.`,
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

/** Creates an import of an uploaded file. The same table again (compressed or not) changes nothing. Known files start at once; others wait for a mapping or other answers. */
export async function createImport(
  imports: Imports,
  viewer: Viewer,
  regionId: string,
  upload: FileUpload,
  body: NodeReadable,
  at: Date,
): Promise<Import> {
  const { state, dataDir, blobs } = imports
  const region = await findRegion(state, viewer.scope, regionId)
  const file = await receiveTripFile({ dataDir, blobs }, body, (filePath) =>
    examine(imports, viewer, region, upload, filePath),
  )
  const { recognized, mapping, survey } = file
  const contentHash = contentHashOf(survey.contentHash, recognized)
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
  // A waiting file that is sent again with answers replaces the first one.
  if (earlier?.status === 'needs_mapping' && hasAnswers(upload))
    await deleteImport(imports, viewer, regionId, earlier.import_id)
  else if (earlier) {
    await removeTripFile(blobs, file.filePath)
    return readImport(earlier, at, earlier.import_id)
  }
  const given: FileGiven = {
    ...storedAnswers(upload),
    ...recognized?.given,
    ...(file.stations.length
      ? { stations: givenStations(survey.zip?.stations ?? [], file.stations, region) }
      : {}),
  }
  if (given.stations) await blobs.put(stationsKey(file.filePath), stationsContent(file.stations))
  const times = mapping
    ? timeColumns(mapping)
    : Object.keys(recognized?.dates ?? {}).concat(recognized?.table?.times ?? [])
  const open = openQuestions(survey, times, given, region)
  const stations: ImportRequirement[] = mapping && lacksStations(mapping, given) ? ['stations'] : []
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
      given: JSON.stringify(given),
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

/** Continues a failed import where it stopped. */
export async function retryImport(
  imports: Imports,
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

/** Cancels a waiting or running import, or removes one that has ended, with its data, rejected rows, file and record. */
export async function deleteImport(
  imports: Imports,
  viewer: Viewer,
  regionId: string,
  importId: string,
): Promise<RemovedImport> {
  const taken = await cancelImport(imports, viewer.scope, regionId, importId)
  // The region's next file could not start during the removal.
  await wakeImports(imports)
  return taken
}
