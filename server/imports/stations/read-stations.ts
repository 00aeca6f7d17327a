import { isOnEarth } from '#server/regions/region-reach.ts'
import { isObject } from '#server/feeds/adapters/response-body.ts'
import { readCsvRecords } from '#server/table-files/csv-records.ts'
import { makeColumnNamesUnique } from '../file-header.ts'
import { isJsonFile, readJsonFile } from '../files/read-file-text.ts'
import { readFileLines, readStationTables } from '../read-trip-file.ts'
import { readNumber } from '#server/table-files/read-quantity.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { findStationColumns } from './station-columns.ts'

/** A station in the list of its operator; '' if it has no id or no name. */
export interface Station {
  id: string
  name: string
  lon: number
  lat: number
}

/** The stations of a file, and the number of records that are no usable station. */
export interface StationList {
  stations: Station[]
  skipped: number
}

/** Ten times as many as the largest networks have. */
const maxStations = 50_000

/** Adds a station to a list, or counts it as skipped if its coordinates are invalid or it has no id and name. */
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

const requiredColumnsText =
  'A stations file has one station a row, with its id or name, latitude and longitude'

/** Adds the stations of a table to a list. The first row is the header. */
async function addTable(list: StationList, lines: AsyncIterable<string[]>): Promise<void> {
  let columns: ReturnType<typeof findStationColumns> | undefined
  for await (const records of readCsvRecords(lines)) {
    for (const { fields } of records) {
      if (columns === undefined) {
        const header = makeColumnNamesUnique(fields ?? [])
        columns = findStationColumns(header)
        if (!columns)
          throw new TableFileError(
            `${requiredColumnsText}. This file has the columns ${header.slice(0, 20).join(', ')}.`,
          )
      } else if (columns) {
        const getText = (column: number): string => fields?.[column]?.trim() ?? ''
        addStation(list, {
          id: getText(columns.id),
          name: getText(columns.name),
          lon: readNumber(getText(columns.lon)),
          lat: readNumber(getText(columns.lat)),
        })
      }
    }
  }
}

/** Adds a record of a JSON list of stations: a GeoJSON point, or an object with coordinates as in GBFS. */
function addRecord(list: StationList, record: unknown): void {
  const isFeature = isObject(record) && record['type'] === 'Feature'
  const properties = isFeature && isObject(record['properties']) ? record['properties'] : record
  const fields = isObject(properties) ? properties : {}
  const geometry = isFeature && isObject(record['geometry']) ? record['geometry'] : null
  const [lon, lat] =
    geometry && Array.isArray(geometry['coordinates']) ? (geometry['coordinates'] as unknown[]) : []
  const names = Object.keys(fields)
  // The coordinates of a GeoJSON point are not among its properties.
  const columns = findStationColumns(geometry ? [...names, 'lat', 'lon'] : names)
  const getText = (column: number | undefined): string => {
    const value = column === undefined ? undefined : fields[names[column] ?? '']
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  }
  const place = geometry
    ? { lon: Number(lon), lat: Number(lat) }
    : { lon: readNumber(getText(columns?.lon)), lat: readNumber(getText(columns?.lat)) }
  addStation(list, { id: getText(columns?.id), name: getText(columns?.name), ...place })
}

async function addJson(list: StationList, filePath: string): Promise<void> {
  const json = await readJsonFile(filePath, 'the stations')
  const content = isObject(json) && isObject(json['data']) ? json['data'] : json
  const records = isObject(content) ? (content['stations'] ?? content['features']) : content
  if (!Array.isArray(records))
    throw new TableFileError(
      'The file is JSON, but no list of stations: neither GBFS station information, nor GeoJSON points, nor a list of objects.',
    )
  for (const record of records) addRecord(list, record)
}

/**
 * Reads a list of stations: CSV with an id or name, latitude and longitude; GBFS station information; GeoJSON
 * points; or the tables of stations in a zip archive of trips.
 * @throws TableFileError for other files.
 */
export async function readStations(filePath: string): Promise<StationList> {
  const list: StationList = { stations: [], skipped: 0 }
  let isTripArchive = false
  for await (const lines of readStationTables(filePath)) {
    isTripArchive = true
    await addTable(list, lines)
  }
  if (isTripArchive) return list
  if (await isJsonFile(filePath)) await addJson(list, filePath)
  else await addTable(list, readFileLines(filePath))
  if (!list.stations.length)
    throw new TableFileError(`The file contains no station with a place. ${requiredColumnsText}.`)
  return list
}
