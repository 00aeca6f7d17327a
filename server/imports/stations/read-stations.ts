import { isOnEarth } from '#server/regions/region-reach.ts'
import { isObject } from '#server/feeds/adapters/response-body.ts'
import { csvRecords } from '#server/table-files/csv-records.ts'
import { headerNames } from '../file-header.ts'
import { isJsonFile } from '../files/is-json-file.ts'
import { readJsonFile } from '../files/read-whole.ts'
import { fileLines, stationTablesOf } from '../open-trip-file.ts'
import { readNumber } from '#server/table-files/read-quantity.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { stationColumns } from './station-columns.ts'

/** A station as its operator lists it; '' where it has no id or no name. */
export interface Station {
  id: string
  name: string
  lon: number
  lat: number
}

/** The stations of a file, and how many of its records have no usable place. */
export interface StationList {
  stations: Station[]
  skipped: number
}

/** The largest networks have a tenth of these. */
const maxStations = 50_000

function addStation(list: StationList, station: Station): void {
  if (
    Number.isNaN(station.lon + station.lat) ||
    !isOnEarth(station.lon, station.lat) ||
    (station.id === '' && station.name === '')
  )
    list.skipped++
  else list.stations.push(station)
  if (list.stations.length > maxStations)
    throw new TableFileError(
      `The file has more than ${maxStations.toLocaleString('en')} stations. Is it a table with one station a row?`,
    )
}

const neededColumns = 'A stations file has one station a row, with its id or name, latitude and longitude'

async function addTable(list: StationList, lines: AsyncIterable<string[]>): Promise<void> {
  let columns: ReturnType<typeof stationColumns> | undefined
  for await (const records of csvRecords(lines)) {
    for (const { fields } of records) {
      if (columns === undefined) {
        const header = headerNames(fields ?? [])
        columns = stationColumns(header)
        if (!columns)
          throw new TableFileError(
            `${neededColumns}. This file has the columns ${header.slice(0, 20).join(', ')}.`,
          )
      } else if (columns) {
        const text = (at: number): string => fields?.[at]?.trim() ?? ''
        addStation(list, {
          id: text(columns.id),
          name: text(columns.name),
          lon: readNumber(text(columns.lon)),
          lat: readNumber(text(columns.lat)),
        })
      }
    }
  }
}

/** One record of a JSON list of stations: a GeoJSON point, or an object with its place, as in GBFS. */
function addRecord(list: StationList, record: unknown): void {
  const isFeature = isObject(record) && record['type'] === 'Feature'
  const fields =
    isFeature && isObject(record['properties']) ? record['properties'] : isObject(record) ? record : {}
  const geometry = isFeature && isObject(record['geometry']) ? record['geometry'] : null
  const [lon, lat] =
    geometry && Array.isArray(geometry['coordinates']) ? (geometry['coordinates'] as unknown[]) : []
  const names = Object.keys(fields)
  // A point has its place beside its fields.
  const columns = stationColumns(geometry ? [...names, 'lat', 'lon'] : names)
  const text = (at: number | undefined): string => {
    const value = at === undefined ? undefined : fields[names[at] ?? '']
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  }
  const place = geometry
    ? { lon: Number(lon), lat: Number(lat) }
    : { lon: readNumber(text(columns?.lon)), lat: readNumber(text(columns?.lat)) }
  addStation(list, { id: text(columns?.id), name: text(columns?.name), ...place })
}

async function addJson(list: StationList, filePath: string): Promise<void> {
  const found = await readJsonFile(filePath, 'the stations')
  const inner = isObject(found) && isObject(found['data']) ? found['data'] : found
  const records = Array.isArray(inner)
    ? inner
    : isObject(inner)
      ? (inner['stations'] ?? inner['features'])
      : null
  if (!Array.isArray(records))
    throw new TableFileError(
      'The file is JSON, but no list of stations: neither GBFS station information, nor GeoJSON points, nor a list of objects.',
    )
  for (const record of records) addRecord(list, record)
}

/**
 * Reads a list of stations: CSV with an id or name, latitude and longitude, GBFS station information,
 * GeoJSON points; of a zip archive of trips the tables of stations in it. Throws TableFileError for another file.
 */
export async function readStations(filePath: string): Promise<StationList> {
  const list: StationList = { stations: [], skipped: 0 }
  let isOfTrips = false
  for await (const lines of stationTablesOf(filePath)) {
    isOfTrips = true
    await addTable(list, lines)
  }
  if (isOfTrips) return list
  if (await isJsonFile(filePath)) await addJson(list, filePath)
  else await addTable(list, fileLines(filePath))
  if (!list.stations.length)
    throw new TableFileError(`The file holds no station with a place. ${neededColumns}.`)
  return list
}
