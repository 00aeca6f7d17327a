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
import type { State } from '#server/stores/state.ts'
import { type CsvRecord, csvRecords } from '#server/table-files/csv-records.ts'
import { repeatedNames } from './file-header.ts'
import { guessMapping } from './guess-mapping.ts'
import { fileLines } from './open-trip-file.ts'
import { personalColumns, withoutPersonal } from '#server/table-files/column-names.ts'
import { orderQuestion, outsideRegion, placeColumns, timeColumns } from './open-questions.ts'
import type { ImportRow } from './read-import.ts'
import { recognizeLayout } from './recognize-layout.ts'
import { civilClock } from '#contract/civil-clock.ts'
import type { FileGiven } from './files/file-kind.ts'
import { localTripFile, localStations } from './trip-uploads.ts'
import { countPlaces, type PlacesFound, type StoredSurvey } from './survey-file.ts'
import { type DateEvidence, ordersOf } from '#server/table-files/date-orders.ts'
import { tripReader } from './trips/read-trip.ts'
import { setAsideReasons, type TripRow } from './trips/trip-row.ts'

const shownRows = 20
const triedRows = 500

interface Previewing {
  state: State
  blobs: BlobStore
}

async function firstRecords(filePath: string, limit: number): Promise<CsvRecord[]> {
  const found: CsvRecord[] = []
  for await (const records of csvRecords(fileLines(filePath))) {
    found.push(...records)
    if (found.length > limit) break
  }
  return found.slice(1, limit + 1)
}

/** Errors of a mapping: columns that the file lacks, a start without a time or a place. */
export function mappingProblems(header: readonly string[], { columns }: TripMapping): string[] {
  const problems: string[] = []
  for (const [column, name] of Object.entries(columns))
    if (!header.includes(name)) problems.push(`The file has no column '${name}' (mapped to ${column}).`)
  const has = (...names: TripColumn[]): boolean => names.every((name) => columns[name])
  if (!has('start_time') && !has('start_date', 'start_clock'))
    problems.push('Choose the column with the start time (or the columns with its date and its time of day).')
  if (!has('start_lon', 'start_lat') && !has('start_station'))
    problems.push('Choose the columns with the start longitude and latitude, or the start station.')
  return problems
}

const stationsMissing =
  'The file has stations and no coordinates. Send the stations file: one station a row, with its id or name, latitude and longitude.'

/** Whether a mapping needs stations that were not sent yet. */
export const lacksStations = (mapping: TripMapping, { stations }: FileGiven): boolean =>
  usesStations(mapping) && !stations

/** Refuses a mapping that cannot read any row, and says why. Returns the places of the first rows. */
export async function checkMapping(
  { state, blobs }: Previewing,
  scope: Scope,
  row: ImportRow,
  header: string[],
  mapping: TripMapping,
): Promise<PlacesFound> {
  const lacks = mappingProblems(header, mapping)
  if (lacks.length) throw new Problem('validation_error', lacks.join(' '))
  const order = orderQuestion(datesOf(row), timeColumns(mapping), mapping.date_order)
  if (order) throw new Problem('validation_error', order.text)
  if (lacksStations(mapping, row.given as FileGiven)) throw new Problem('validation_error', stationsMissing)
  const { read, places } = await tryMapping({ state, blobs }, scope, row, header, mapping)
  const failed = read.filter(({ reason }) => reason !== null)
  if (read.length && failed.length === read.length)
    throw new Problem(
      'validation_error',
      `None of the first ${read.length} rows can be read with this mapping. Row in line ${failed[0]?.line}: ${failed[0]?.reason}.`,
    )
  return places
}

const datesOf = (row: ImportRow): Record<string, DateEvidence> =>
  (row.survey as StoredSurvey | null)?.dates ?? {}

const shownTrip = (trip: TripRow): Record<string, unknown> => ({
  trip_id: trip.tripId,
  operator: trip.operator,
  vehicle_type: trip.vehicleType,
  vehicle_id: trip.vehicleId,
  start_time: new Date(trip.startMs).toISOString(),
  end_time: Number.isNaN(trip.endMs) ? null : new Date(trip.endMs).toISOString(),
  ...Object.fromEntries(
    (['startLon', 'startLat', 'endLon', 'endLat', 'distanceM', 'durationS'] as const).map((name) => [
      name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`),
      Number.isNaN(trip[name]) ? null : trip[name],
    ]),
  ),
})

/** Longer fields are truncated, and wide files show fewer rows. */
const shownCharacters = 80
const shownFields = 4000

async function tryMapping(
  { state, blobs }: Previewing,
  scope: Scope,
  row: ImportRow,
  header: string[],
  mapping: TripMapping,
) {
  const region = await findRegion(state, scope, row.region_id)
  const placeOf =
    usesStations(mapping) && (row.given as FileGiven).stations ? await localStations(blobs, row) : null
  const read = tripReader({
    header,
    mapping,
    orderOf: ordersOf(datesOf(row), mapping.date_order),
    regionId: row.region_id,
    clock: civilClock(region.timezone),
    center: region,
    ...(placeOf ? { placeOf } : {}),
  })
  const personal = personalColumns(header)
  const records = await firstRecords(await localTripFile(blobs, row), triedRows)
  const places = countPlaces(header, placeColumns(mapping), region)
  for (const { fields } of records) if (fields) places.add(fields)
  return {
    region,
    places: places.found,
    rows: records
      .slice(0, shownRows)
      .map(({ fields }) =>
        withoutPersonal(fields, personal, header.length).map((text) => text.slice(0, shownCharacters)),
      ),
    read: records.map(({ line, fields }): ImportPreview['read'][number] => {
      const trip = fields ? read(fields) : ({ reason: 'unclosed_quote', detail: '' } as const)
      if ('reason' in trip)
        return {
          line,
          trip: null,
          flags: [],
          reason: `${setAsideReasons[trip.reason]}${trip.detail ? ` (${trip.detail})` : ''}`,
        }
      return { line, trip: shownTrip(trip), flags: toQualityFlags(trip.quality), reason: null }
    }),
  }
}

/** How many of the tried rows cannot be read, by reason. */
function unreadRows(read: ImportPreview['read']): string[] {
  const failed = read.filter(({ reason }) => reason !== null)
  if (failed.length === 0) return []
  if (failed.length === read.length) return ['None of these rows can be read with this mapping.']
  return [
    `${failed.length} of the first ${read.length} rows cannot be read with this mapping. Line ${failed[0]?.line}: ${failed[0]?.reason}.`,
  ]
}

/** The first rows of a waiting file and how a mapping reads them; by default the mapping of its layout, the remembered or the guessed one. */
export async function previewImport(
  { state, blobs }: Previewing,
  scope: Scope,
  row: ImportRow,
  header: string[],
  given: TripMapping | null,
): Promise<ImportPreview> {
  const layout = recognizeLayout(header, row.file_name)
  const remembered = await state
    .as(scope)
    .selectFrom('import_mapping')
    .select('mapping')
    .where('header_hash', '=', row.header_hash)
    .executeTakeFirst()
  const mapping =
    given ??
    (row.mapping ? TripMapping.parse(row.mapping) : null) ??
    layout?.mapping ??
    (remembered ? TripMapping.parse(remembered.mapping) : guessMapping(header))
  const order = orderQuestion(datesOf(row), timeColumns(mapping), null)
  const isOpen = order !== null && !(mapping.date_order && order.orders.includes(mapping.date_order))
  const { region, places, rows, read } = await tryMapping({ state, blobs }, scope, row, header, mapping)
  const { stations } = row.given as FileGiven
  const outside =
    usesStations(mapping) && stations
      ? outsideRegion(stations.places, region, 'stations')
      : outsideRegion(places, region)
  const named = repeatedNames(header).map(
    ({ name, positions }) =>
      `Columns ${positions.join(' and ')} have the same name, '${name}'. Check that the right one is chosen.`,
  )
  const lacks = mappingProblems(header, mapping)
  const isWithoutStations = lacksStations(mapping, row.given as FileGiven)
  const unread = isWithoutStations || isOpen ? [] : unreadRows(read)
  const problems = [
    ...named,
    ...lacks,
    ...(isWithoutStations ? [stationsMissing] : []),
    ...(isOpen ? [order.text] : []),
    ...unread,
    ...(outside ? [outside] : []),
  ]
  const open: [ImportRequirement, boolean][] = [
    ['mapping', lacks.length > 0],
    ['stations', isWithoutStations],
    ['date_order', isOpen],
    ['outside_region', outside !== null],
  ]
  const shown = Math.max(3, Math.min(shownRows, Math.floor(shownFields / header.length)))
  return {
    header,
    rows: rows.slice(0, shown),
    layout: layout?.layout ?? null,
    mapping,
    read: read.slice(0, shown),
    problems,
    asks: open.filter(([, isOpen]) => isOpen).map(([ask]) => ask),
    date_orders: [...(order?.orders ?? [])],
    stations: stations ? { file_name: stations.fileName, stations: stations.stations } : null,
  }
}
