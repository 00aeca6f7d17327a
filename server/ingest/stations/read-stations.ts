import { isOnEarth } from '#server/regions/region-reach.ts'
import { isObject } from '../adapters/answer-body.ts'
import { csvRecords } from '../csv-records.ts'
import { headerNames } from '../file-header.ts'
import { isJsonFile } from '../files/is-json-file.ts'
import { readJsonFile } from '../files/read-whole.ts'
import { plainName } from '../layouts/layout.ts'
import { fileLines } from '../open-trip-file.ts'
import { readNumber } from '../trips/read-quantity.ts'
import { TripFileError } from '../trip-file-error.ts'

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

const thing = '(station|dock|hub|kiosk|terminal)?'
const spellings = {
  id: [new RegExp(`^${thing}(id|number|num|no|code|shortname|terminalname)$`), /^station$/, /^terminal$/],
  name: [new RegExp(`^${thing}(name|title)$`), /^station$/],
  lat: [new RegExp(`^${thing}(lat|latitude|y)$`)],
  lon: [new RegExp(`^${thing}(lon|lng|long|longitude|x)$`)],
}

/** Positions of the columns of a table of stations; null where it has no places, or neither ids nor names. */
export function stationColumns(
  header: readonly string[],
): { id: number; name: number; lat: number; lon: number } | null {
  const plain = header.map(plainName)
  const find = (patterns: readonly RegExp[], taken: readonly number[] = []): number => {
    for (const pattern of patterns) {
      const at = plain.findIndex((name, index) => pattern.test(name) && !taken.includes(index))
      if (at >= 0) return at
    }
    return -1
  }
  const name = find(spellings.name)
  const id = find(spellings.id, [name])
  const [lat, lon] = [find(spellings.lat), find(spellings.lon)]
  return lat < 0 || lon < 0 || (id < 0 && name < 0) ? null : { id, name, lat, lon }
}

function addStation(list: StationList, station: Station): void {
  if (
    Number.isNaN(station.lon + station.lat) ||
    !isOnEarth(station.lon, station.lat) ||
    (station.id === '' && station.name === '')
  )
    list.skipped++
  else list.stations.push(station)
  if (list.stations.length > maxStations)
    throw new TripFileError(
      `The file has more than ${maxStations.toLocaleString('en')} stations. Is it a table with one station a row?`,
    )
}

const neededColumns = 'A stations file has one station a row, with its id or name, latitude and longitude'

async function readTable(filePath: string): Promise<StationList> {
  const list: StationList = { stations: [], skipped: 0 }
  let columns: ReturnType<typeof stationColumns> | undefined
  for await (const records of csvRecords(fileLines(filePath))) {
    for (const { fields } of records) {
      if (columns === undefined) {
        const header = headerNames(fields ?? [])
        columns = stationColumns(header)
        if (!columns)
          throw new TripFileError(
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
  return list
}

/** One record of a list of stations in JSON: a GeoJSON point, or an object with its place, as in GBFS. */
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

async function readJson(filePath: string): Promise<StationList> {
  const found = await readJsonFile(filePath, 'the stations')
  const inner = isObject(found) && isObject(found['data']) ? found['data'] : found
  const records = Array.isArray(inner)
    ? inner
    : isObject(inner)
      ? (inner['stations'] ?? inner['features'])
      : null
  if (!Array.isArray(records))
    throw new TripFileError(
      'The file is JSON, but no list of stations: neither GBFS station information, nor GeoJSON points, nor a list of objects.',
    )
  const list: StationList = { stations: [], skipped: 0 }
  for (const record of records) addRecord(list, record)
  return list
}

/**
 * Reads a list of stations: CSV with an id or name, latitude and longitude, GBFS station information,
 * GeoJSON points. Throws TripFileError for another file.
 */
export async function readStations(filePath: string): Promise<StationList> {
  const list = (await isJsonFile(filePath)) ? await readJson(filePath) : await readTable(filePath)
  if (!list.stations.length)
    throw new TripFileError(`The file holds no station with a place. ${neededColumns}.`)
  return list
}
