import { type ImportPreview, type TripColumn, TripMapping } from '#contract/ingest.ts'
import { flagsOf } from '#contract/mobility.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/find-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { type CsvRecord, csvRecords } from './csv-records.ts'
import { guessMapping } from './guess-mapping.ts'
import { fileLines } from './open-trip-file.ts'
import { personalColumns, withoutPersonal } from './personal-columns.ts'
import type { ImportRow } from './read-import.ts'
import { recogniseLayout } from './recognise-layout.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { tripReader } from './trips/read-trip.ts'
import { setAsideReasons, type TripRow } from './trip-row.ts'

const shownRows = 20
const triedRows = 500

async function firstRecords(filePath: string, most: number): Promise<CsvRecord[]> {
  const found: CsvRecord[] = []
  for await (const records of csvRecords(fileLines(filePath))) {
    found.push(...records)
    if (found.length > most) break
  }
  return found.slice(1, most + 1)
}

/** What a mapping lacks: columns that are not in the file, a start without a time or a place. */
export function mappingProblems(header: readonly string[], { columns }: TripMapping): string[] {
  const problems: string[] = []
  for (const [column, name] of Object.entries(columns)) if (!header.includes(name)) problems.push(`The file has no column '${name}' (mapped to ${column}).`)
  const has = (...names: TripColumn[]): boolean => names.every((name) => columns[name])
  if (!has('start_time') && !has('start_date', 'start_clock')) problems.push('Say which column holds the time of start (or its date and its clock time).')
  if (!has('start_lon', 'start_lat')) problems.push('Say which columns hold longitude and latitude of the start.')
  return problems
}

/** Refuses a mapping with which nothing can be read, and says what stands in the way. */
export async function checkMapping(state: State, scope: Scope, row: ImportRow, header: string[], mapping: TripMapping): Promise<void> {
  const lacks = mappingProblems(header, mapping)
  if (lacks.length) throw new Problem('validation_error', lacks.join(' '))
  const { read } = await tryMapping(state, scope, row, header, mapping, triedRows)
  const failed = read.filter(({ reason }) => reason !== null)
  if (read.length && failed.length === read.length) throw new Problem('validation_error', `None of the first ${read.length} rows can be read with this mapping. Row in line ${failed[0]?.line}: ${failed[0]?.reason}.`)
}

const shownTrip = (trip: TripRow): Record<string, unknown> => ({
  trip_id: trip.tripId, operator: trip.operator, vehicle_type: trip.vehicleType, vehicle_id: trip.vehicleId, start_time: new Date(trip.startMs).toISOString(), end_time: Number.isNaN(trip.endMs) ? null : new Date(trip.endMs).toISOString(),
  ...Object.fromEntries((['startLon', 'startLat', 'endLon', 'endLat', 'distanceM', 'durationS'] as const).map((name) => [name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`), Number.isNaN(trip[name]) ? null : trip[name]])),
})

async function tryMapping(state: State, scope: Scope, row: ImportRow, header: string[], mapping: TripMapping, rows: number) {
  const region = await findRegion(state, scope, row.region_id)
  const read = tripReader({ header, mapping, regionId: row.region_id, clock: civilClock(region.timezone), centre: region })
  const personal = personalColumns(header)
  const records = await firstRecords(row.file_path, rows)
  return {
    rows: records.map(({ fields }) => withoutPersonal(fields, personal, header.length)),
    read: records.map(({ line, fields, raw }): ImportPreview['read'][number] => {
      const trip = fields ? read(fields) : ({ reason: 'unclosed_quote', detail: personal.length ? '' : raw.slice(0, 80) } as const)
      if ('reason' in trip) return { line, trip: null, flags: [], reason: `${setAsideReasons[trip.reason]}${trip.detail ? ` (${trip.detail})` : ''}` }
      return { line, trip: shownTrip(trip), flags: flagsOf(trip.quality), reason: null }
    }),
  }
}

/** The first rows of a waiting file and how a mapping reads them; without one, as its layout, memory or column names suggest. */
export async function previewImport(state: State, scope: Scope, row: ImportRow, header: string[], given: TripMapping | null): Promise<ImportPreview> {
  const layout = recogniseLayout(header, row.file_name)
  const kept = await state.as(scope).selectFrom('import_mapping').select('mapping').where('header_hash', '=', row.header_hash).executeTakeFirst()
  const mapping = given ?? (row.mapping ? TripMapping.parse(row.mapping) : null) ?? layout?.mapping ?? (kept ? TripMapping.parse(kept.mapping) : guessMapping(header))
  const problems = mappingProblems(header, mapping)
  const { rows, read } = await tryMapping(state, scope, row, header, mapping, shownRows)
  if (read.length && read.every(({ reason }) => reason !== null)) problems.push('None of these rows can be read with this mapping.')
  return { header, rows, layout: layout?.layout ?? null, mapping, read, problems }
}
