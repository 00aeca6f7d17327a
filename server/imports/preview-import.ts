import {
  type ImportRequirement,
  type ImportPreview,
  type TripColumn,
  TripMapping,
  usesStations,
} from '#contract/imports.ts'
import { toQualityFlags } from '#contract/mobility.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { type CsvRecord, readCsvRecords } from '#server/table-files/csv-records.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { type DateEvidence, createOrderLookup } from '#server/table-files/date-orders.ts'
import { findRepeatedNames } from './file-header.ts'
import { guessMapping } from './guess-mapping.ts'
import { readFileLines } from './read-trip-file.ts'
import { findPersonalColumns, hidePersonal } from '#server/table-files/column-names.ts'
import { askDateOrder, askOutsideRegion, getPlaceColumns, listTimeColumns } from './import-questions.ts'
import type { ImportRow } from './read-import.ts'
import { recognizeLayout } from './recognize-layout.ts'
import type { FileAnswers } from './files/file-kind.ts'
import { findLocalTripFile, readLocalStations } from './trip-uploads.ts'
import { createPlaceCounter, type PlaceCounts, type StoredSurvey } from './survey-file.ts'
import { createTripReader } from './trips/read-trip.ts'
import { setAsideReasons, type TripRow } from './trips/trip-row.ts'

/** The maximum number of rows that a preview shows. */
const maxShownRows = 20
/** A preview of very wide files still shows this number of rows. */
const minShownRows = 3
/** The maximum number of rows that are tried with the mapping. */
const maxTriedRows = 500

interface PreviewServices {
  state: State
  blobs: BlobStore
}

/** Reads the first records below the header. */
async function readFirstRecords(filePath: string, limit: number): Promise<CsvRecord[]> {
  const firstRecords: CsvRecord[] = []
  for await (const records of readCsvRecords(readFileLines(filePath))) {
    firstRecords.push(...records)
    if (firstRecords.length > limit) break
  }
  return firstRecords.slice(1, limit + 1)
}

/** Finds the errors of a mapping: columns that the file lacks, or no column for the start time or location. */
export function findMappingProblems(header: readonly string[], { columns }: TripMapping): string[] {
  const problems: string[] = []
  for (const [column, name] of Object.entries(columns))
    if (!header.includes(name)) problems.push(`The file has no column '${name}' (mapped to ${column}).`)
  const hasColumns = (...names: TripColumn[]): boolean => names.every((name) => columns[name])
  if (!hasColumns('start_time') && !hasColumns('start_date', 'start_clock'))
    problems.push('Choose the column with the start time (or the columns with its date and its time of day).')
  if (!hasColumns('start_lon', 'start_lat') && !hasColumns('start_station'))
    problems.push('Choose the columns with the start longitude and latitude, or the start station.')
  return problems
}

const missingStationsText =
  'The file has stations and no coordinates. Send the stations file: one station a row, with its id or name, latitude and longitude.'

/** Returns whether a mapping requires a stations file that was not sent yet. */
export const lacksStations = (mapping: TripMapping, { stations }: FileAnswers): boolean =>
  usesStations(mapping) && !stations

/**
 * Checks a mapping with the first rows and returns the counts of their locations.
 * @throws Problem `validation_error` if it is invalid or cannot read any of these rows.
 */
export async function checkMapping(
  { state, blobs }: PreviewServices,
  scope: Scope,
  { row, header, mapping }: { row: ImportRow; header: string[]; mapping: TripMapping },
): Promise<PlaceCounts> {
  const errors = findMappingProblems(header, mapping)
  if (errors.length) throw new Problem('validation_error', errors.join(' '))
  const orderQuestion = askDateOrder(getDateEvidence(row), listTimeColumns(mapping), mapping.date_order)
  if (orderQuestion) throw new Problem('validation_error', orderQuestion.text)
  if (lacksStations(mapping, row.given as FileAnswers))
    throw new Problem('validation_error', missingStationsText)
  const { read, places } = await tryMapping({ state, blobs }, scope, { row, header, mapping })
  const failedRows = read.filter(({ reason }) => reason !== null)
  if (read.length && failedRows.length === read.length)
    throw new Problem(
      'validation_error',
      `None of the first ${read.length} rows can be read with this mapping. Row in line ${failedRows[0]?.line}: ${failedRows[0]?.reason}.`,
    )
  return places
}

const getDateEvidence = (row: ImportRow): Record<string, DateEvidence> =>
  (row.survey as StoredSurvey | null)?.dates ?? {}

/** Returns a trip with the field names of the API; null for unknown values. */
const toShownTrip = (trip: TripRow): Record<string, unknown> => ({
  trip_id: trip.tripId,
  operator: trip.operator,
  vehicle_type: trip.vehicleType,
  vehicle_id: trip.vehicleId,
  start_time: new Date(trip.startMs).toISOString(),
  end_time: Number.isNaN(trip.endMs) ? null : new Date(trip.endMs).toISOString(),
  ...Object.fromEntries(
    (['startLon', 'startLat', 'endLon', 'endLat', 'distanceM', 'durationS'] as const).map((name) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      Number.isNaN(trip[name]) ? null : trip[name],
    ]),
  ),
})

/** Longer fields are truncated. */
const maxShownCharacters = 80
/** The maximum number of fields of a preview: files with many columns show fewer rows. */
const maxShownFields = 4000

/** Reads the first rows of a file with a mapping. `rows` contains their fields, `read` the resulting trips. */
async function tryMapping(
  { state, blobs }: PreviewServices,
  scope: Scope,
  { row, header, mapping }: { row: ImportRow; header: string[]; mapping: TripMapping },
) {
  const region = await findRegion(state, scope, row.region_id)
  const findStation =
    usesStations(mapping) && (row.given as FileAnswers).stations ? await readLocalStations(blobs, row) : null
  const readRow = createTripReader({
    header,
    mapping,
    getDateOrder: createOrderLookup(getDateEvidence(row), mapping.date_order),
    regionId: row.region_id,
    clock: civilClock(region.timezone),
    center: region,
    ...(findStation ? { findStation } : {}),
  })
  const personalIndices = findPersonalColumns(header)
  const records = await readFirstRecords(await findLocalTripFile(blobs, row), maxTriedRows)
  const places = createPlaceCounter(header, getPlaceColumns(mapping), region)
  for (const { fields } of records) if (fields) places.add(fields)
  return {
    region,
    places: places.counts,
    rows: records
      .slice(0, maxShownRows)
      .map(({ fields }) =>
        hidePersonal(fields, personalIndices, header.length).map((text) => text.slice(0, maxShownCharacters)),
      ),
    read: records.map(({ line, fields }): ImportPreview['read'][number] => {
      const trip = fields ? readRow(fields) : ({ reason: 'unclosed_quote', detail: '' } as const)
      if ('reason' in trip)
        return {
          line,
          trip: null,
          flags: [],
          reason: `${setAsideReasons[trip.reason]}${trip.detail ? ` (${trip.detail})` : ''}`,
        }
      return { line, trip: toShownTrip(trip), flags: toQualityFlags(trip.quality), reason: null }
    }),
  }
}

/** Returns the note about tried rows that cannot be read. */
function describeUnreadRows(read: ImportPreview['read']): string[] {
  const failedRows = read.filter(({ reason }) => reason !== null)
  if (failedRows.length === 0) return []
  if (failedRows.length === read.length) return ['None of these rows can be read with this mapping.']
  return [
    `${failedRows.length} of the first ${read.length} rows cannot be read with this mapping. Line ${failedRows[0]?.line}: ${failedRows[0]?.reason}.`,
  ]
}

/**
 * Returns the first rows of a waiting file, and how a mapping reads them. By default the mapping is that of
 * the import, of its layout, the remembered one or a guess.
 */
export async function previewImport(
  services: PreviewServices,
  scope: Scope,
  {
    row,
    header,
    requestedMapping,
  }: { row: ImportRow; header: string[]; requestedMapping: TripMapping | null },
): Promise<ImportPreview> {
  const layout = recognizeLayout(header, row.file_name)
  const mapping =
    requestedMapping ??
    (row.mapping ? TripMapping.parse(row.mapping) : null) ??
    layout?.mapping ??
    (await findRememberedMapping(services.state.as(scope), row)) ??
    guessMapping(header)
  const triedMapping = await tryMapping(services, scope, { row, header, mapping })
  const orderQuestion = askDateOrder(getDateEvidence(row), listTimeColumns(mapping), null)
  const { problems, asks } = findProblems(triedMapping, { row, header, mapping, orderQuestion })
  const { stations } = row.given as FileAnswers
  const rowCount = Math.max(minShownRows, Math.min(maxShownRows, Math.floor(maxShownFields / header.length)))
  return {
    header,
    rows: triedMapping.rows.slice(0, rowCount),
    layout: layout?.layout ?? null,
    mapping,
    read: triedMapping.read.slice(0, rowCount),
    problems,
    asks,
    date_orders: [...(orderQuestion?.orders ?? [])],
    stations: stations ? { file_name: stations.fileName, stations: stations.stations } : null,
  }
}

/** Finds the mapping that was last used for files with the same header. */
async function findRememberedMapping(store: Store, row: ImportRow): Promise<TripMapping | null> {
  const mappingRow = await store
    .selectFrom('import_mapping')
    .select('mapping')
    .where('header_hash', '=', row.header_hash)
    .executeTakeFirst()
  return mappingRow ? TripMapping.parse(mappingRow.mapping) : null
}

/** Finds the problems of a mapping and of the tried rows, and what the user must still answer. */
function findProblems(
  { region, places, read }: Awaited<ReturnType<typeof tryMapping>>,
  {
    row,
    header,
    mapping,
    orderQuestion,
  }: {
    row: ImportRow
    header: string[]
    mapping: TripMapping
    orderQuestion: ReturnType<typeof askDateOrder>
  },
): { problems: string[]; asks: ImportRequirement[] } {
  const isOrderOpen =
    orderQuestion !== null && !(mapping.date_order && orderQuestion.orders.includes(mapping.date_order))
  const { stations } = row.given as FileAnswers
  const outsideQuestion =
    usesStations(mapping) && stations
      ? askOutsideRegion(stations.places, region, 'stations')
      : askOutsideRegion(places, region)
  const repeatedNameNotes = findRepeatedNames(header).map(
    ({ name, positions }) =>
      `Columns ${positions.join(' and ')} have the same name, '${name}'. Check that the right one is chosen.`,
  )
  const errors = findMappingProblems(header, mapping)
  const isWithoutStations = lacksStations(mapping, row.given as FileAnswers)
  const problems = [
    ...repeatedNameNotes,
    ...errors,
    ...(isWithoutStations ? [missingStationsText] : []),
    ...(isOrderOpen ? [orderQuestion.text] : []),
    ...(isWithoutStations || isOrderOpen ? [] : describeUnreadRows(read)),
    ...(outsideQuestion ? [outsideQuestion] : []),
  ]
  const requirements: [ImportRequirement, boolean][] = [
    ['mapping', errors.length > 0],
    ['stations', isWithoutStations],
    ['date_order', isOrderOpen],
    ['outside_region', outsideQuestion !== null],
  ]
  return { problems, asks: requirements.filter(([, isOpen]) => isOpen).map(([requirement]) => requirement) }
}
