import { civilClock, type CivilClock } from '#contract/civil-clock.ts'
import { TripMapping, usesStations } from '#contract/imports.ts'
import type { Region } from '#contract/regions.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { toPlainName } from '#server/table-files/column-names.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { readHeader, readFirstRecord, getOriginalName, findRepeatedNames } from './file-header.ts'
import { type AnswerParams, toStoredAnswers } from './files/file-answers.ts'
import type { StoredAnswers, FileHead, RecognizedFile } from './files/file-kind.ts'
import { fileKinds } from './files/file-kinds.ts'
import { isJsonFile, readJsonFile } from './files/read-file-text.ts'
import { readFullName } from './open-trip-file.ts'
import { placeColumns } from './import-questions.ts'
import { findMappingProblems } from './preview-import.ts'
import { hashHeader } from './receive-trip-file.ts'
import { recognizeLayout } from './recognize-layout.ts'
import { readStations } from './stations/read-stations.ts'
import { surveyOnThread } from './trips/read-trip-chunks.ts'

/**
 * Recognizes the kind of a file by its content; null for trips and unknown tables.
 * @throws TableFileError for unknown JSON.
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
    header: first.header.map(getOriginalName),
    firstLine: first.firstLine,
  }
  for (const kind of fileKinds) {
    const recognized = kind.recognize(head, answers, clock)
    if (!recognized) continue
    const usedColumns = new Set(recognized.table?.columns.map(toPlainName))
    const repeated = findRepeatedNames(first.header).find(({ name }) => usedColumns.has(toPlainName(name)))
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

/**
 * Finds the mapping of a header: that of its layout, else the one remembered for this header; null if there
 * is none.
 */
async function findMapping(
  store: Store,
  header: string[],
  fileName: string,
): Promise<{ layout: string | null; mapping: TripMapping } | null> {
  const layout = recognizeLayout(header, fileName)
  if (layout) return layout
  const remembered = await store
    .selectFrom('import_mapping')
    .select('mapping')
    .where('header_hash', '=', hashHeader(header))
    .executeTakeFirst()
  const mapping = remembered && TripMapping.parse(remembered.mapping)
  // Headers that differ only in spelling share a remembered mapping, but its column names may not fit.
  return mapping && findMappingProblems(header, mapping).length === 0 ? { layout: null, mapping } : null
}

/** The parameters of an upload. */
export interface FileUpload extends AnswerParams {
  file_name: string
  vehicle_type?: TripMapping['vehicle_type'] | undefined
}

/** Reads a received file completely: its kind, the mapping of its columns if known, a survey of its rows. */
export async function examineFile(
  state: State,
  scope: Scope,
  { region, upload, filePath }: { region: Region; upload: FileUpload; filePath: string },
) {
  const name = await readFullName(filePath, upload.file_name)
  const recognized = await recognizeFile(filePath, name, toStoredAnswers(upload), civilClock(region.timezone))
  const header = recognized ? [] : await readHeader(filePath)
  const known = recognized ? null : await findMapping(state.as(scope), header, name)
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
      `The zip archive contains ${fileCount} lists of vehicles without times of their own. Send them one by one.`,
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

/** What is known about a received file. */
export type ExaminedFile = Awaited<ReturnType<typeof examineFile>>
