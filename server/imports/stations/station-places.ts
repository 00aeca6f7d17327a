import fs from 'node:fs'
import { isWithinReach } from '#server/regions/region-reach.ts'
import type { FileGiven } from '../files/file-kind.ts'
import type { PlacesFound } from '../survey-file.ts'
import type { Station } from './read-stations.ts'

/**
 * The place of a station in a trip file; `unknown`: no station has that id or name,
 * `ambiguous`: several have.
 */
export type StationPlace = { lon: number; lat: number } | 'unknown' | 'ambiguous'

/** Spreadsheets and data frames write 1016 as 1016.0. */
const keyOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^(\d+)\.0+$/, '$1')

/** Degrees times this are units of 11 m: two records of one station may differ by that much. */
const samePlace = 10_000

/** Finds stations by their ids, else by their names. */
export function stationPlaces(stations: readonly Station[]): (text: string) => StationPlace {
  const byKey = (field: 'id' | 'name'): Map<string, StationPlace> => {
    const places = new Map<string, StationPlace>()
    for (const { [field]: text, lon, lat } of stations) {
      if (text === '') continue
      const key = keyOf(text)
      const known = places.get(key)
      const isSame =
        typeof known === 'object' &&
        Math.round((known.lon - lon) * samePlace) === 0 &&
        Math.round((known.lat - lat) * samePlace) === 0
      if (!known) places.set(key, { lon, lat })
      else if (!isSame) places.set(key, 'ambiguous')
    }
    return places
  }
  const [ids, names] = [byKey('id'), byKey('name')]
  return (text) => {
    const key = keyOf(text)
    return ids.get(key) ?? names.get(key) ?? 'unknown'
  }
}

/** Where the stations are, inside or outside of the region, counted like rows. */
export function countStations(
  stations: readonly Station[],
  center: { lon: number; lat: number },
): PlacesFound {
  const outside = stations.filter(({ lon, lat }) => !isWithinReach(lon, lat, center))
  return {
    rows: stations.length,
    outside: outside.length,
    swapped: outside.filter(({ lon, lat }) => isWithinReach(lat, lon, center)).length,
  }
}

/** What is stored with an import about its stations. */
export const givenStations = (
  fileNames: readonly string[],
  stations: readonly Station[],
  center: { lon: number; lat: number },
): NonNullable<FileGiven['stations']> => ({
  fileName: fileNames.join(', '),
  stations: stations.length,
  places: countStations(stations, center),
})

/** Stations as they are stored beside a trip file, until its rows are stored. */
export const stationsContent = (stations: readonly Station[]): Buffer => Buffer.from(JSON.stringify(stations))

/** Reads stored stations. */
export async function loadStations(file: string): Promise<(text: string) => StationPlace> {
  return stationPlaces(JSON.parse(await fs.promises.readFile(file, 'utf8')) as Station[])
}
