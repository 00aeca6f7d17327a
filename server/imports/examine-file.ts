import { civilClock, type CivilClock } from '#contract/civil-clock.ts'
import { TripMapping, usesStations } from '#contract/imports.ts'
import type { Region } from '#contract/regions.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { toPlainName } from '#server/table-files/column-names.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { readHeader, readFirstRecord, getOriginalName, findRepeatedNames } from './file-header.ts'
import { type AnswerParams, toFileAnswers } from './files/file-answers.ts'
import type { FileAnswers, FileHead, RecognizedFile } from './files/file-kind.ts'
import { fileKinds } from './files/file-kinds.ts'
import { isJsonFile, readJsonFile } from './files/read-file-text.ts'
import { readFullName } from './read-trip-file.ts'
import { getPlaceColumns } from './import-questions.ts'
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
  answers: FileAnswers,
  clock: CivilClock,
): Promise<RecognizedFile | null> {
  const isJson = await isJsonFile(filePath)
  const firstRecord = isJson
    ? { header: [], firstLine: '', isUnclosed: false }
    : await readFirstRecord(filePath)
  if (!firstRecord || recognizeLayout(firstRecord.header, fileName)) return null
  const head: FileHead = {
    fileName,
    json: isJson ? await readJsonFile(filePath, 'the table') : undefined,
    header: firstRecord.header.map(getOriginalName),
    firstLine: firstRecord.firstLine,
  }
  for (const kind of fileKinds) {
    const recognized = kind.recognize(head, answers, clock)
    if (!recognized) continue
    const usedColumns = new Set(recognized.table?.columns.map(toPlainName))
    const repeatedName = findRepeatedNames(firstRecord.header).find(({ name }) =>
      usedColumns.has(toPlainName(name)),
    )
    if (repeatedName)
      throw new TableFileError(
        `Columns ${repeatedName.positions.join(' and ')} of the file have the same name, '${repeatedName.name}'. Rename or remove all but one and send it again.`,
      )
    return recognized
  }
  if (isJson)
    throw new TableFileError(
      'The file is JSON, but neither a list of 311 requests nor the vehicles of a GBFS feed. Send trips as CSV; boundaries are imported in Geographies.',
    )
  return null
}

/** Finds the mapping of a header: that of its layout, else the remembered one; null for unknown headers. */
async function findMapping(
  store: Store,
  header: string[],
  fileName: string,
): Promise<{ layout: string | null; mapping: TripMapping } | null> {
  const layout = recognizeLayout(header, fileName)
  if (layout) return layout
  const rememberedRow = await store
    .selectFrom('import_mapping')
    .select('mapping')
    .where('header_hash', '=', hashHeader(header))
    .executeTakeFirst()
  const mapping = rememberedRow && TripMapping.parse(rememberedRow.mapping)
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
  const fullName = await readFullName(filePath, upload.file_name)
  const recognized = await recognizeFile(
    filePath,
    fullName,
    toFileAnswers(upload),
    civilClock(region.timezone),
  )
  const header = recognized ? [] : await readHeader(filePath)
  const knownMapping = recognized ? null : await findMapping(state.as(scope), header, fullName)
  const mapping = knownMapping && {
    ...knownMapping.mapping,
    date_order: upload.date_order ?? null,
    ...(upload.operator ? { operator: upload.operator } : {}),
    ...(upload.vehicle_type ? { vehicle_type: upload.vehicle_type } : {}),
  }
  const isTable = !recognized || recognized.table !== undefined
  const placeColumns = mapping ? getPlaceColumns(mapping) : (recognized?.table?.placeColumns ?? null)
  // The upload reads all of the file for its hash, and rejects a damaged file before rows are stored.
  const survey = await surveyOnThread({ filePath, isTable, placeColumns, center: region })
  const fileCount = survey.zip?.read.length ?? 1
  if (
    recognized?.kind === 'snapshot' &&
    fileCount > 1 &&
    (recognized.answers.snapshotTime !== undefined || recognized.missingAnswers.includes('snapshot_time'))
  ) {
    throw new TableFileError(
      `The zip archive contains ${fileCount} lists of vehicles without times of their own. Send them one by one.`,
    )
  }
  if (isTable && survey.rows === 0)
    throw new TableFileError('The file has column names, but no rows below them.')
  const canUseStations = !recognized && survey.zip?.stations && (!mapping || usesStations(mapping))
  return {
    stations: canUseStations ? (await readStations(filePath)).stations : [],
    recognized,
    header,
    placeColumns,
    layout: recognized?.layout ?? knownMapping?.layout ?? null,
    mapping,
    survey: { ...survey, dates: recognized?.dates ?? survey.dates },
  }
}

/** What is known about a received file. */
export type ExaminedFile = Awaited<ReturnType<typeof examineFile>>
