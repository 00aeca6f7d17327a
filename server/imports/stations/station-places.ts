import fs from 'node:fs'
import { isWithinReach } from '#server/regions/region-reach.ts'
import type { FileAnswers } from '../files/file-kind.ts'
import type { PlaceCounts } from '../survey-file.ts'
import type { Station } from './read-stations.ts'

/** The location of a station. `unknown`: no such id or name. `ambiguous`: several locations have it. */
export type StationPlace = { lon: number; lat: number } | 'unknown' | 'ambiguous'

/** Normalizes an id or name. Spreadsheets and data frames write 1016 as 1016.0. */
const normalizeKey = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^(\d+)\.0+$/, '$1')

/** Degrees are compared in units of 1/10,000 (11 m), because records of a station may differ slightly. */
const unitsPerDegree = 10_000

/** Returns a function that finds the location of a station by its id or else its name. */
export function createStationLookup(stations: readonly Station[]): (text: string) => StationPlace {
  const indexBy = (field: 'id' | 'name'): Map<string, StationPlace> => {
    const places = new Map<string, StationPlace>()
    for (const { [field]: text, lon, lat } of stations) {
      if (text === '') continue
      const key = normalizeKey(text)
      const previous = places.get(key)
      const isSamePlace =
        typeof previous === 'object' &&
        Math.round((previous.lon - lon) * unitsPerDegree) === 0 &&
        Math.round((previous.lat - lat) * unitsPerDegree) === 0
      if (!previous) places.set(key, { lon, lat })
      else if (!isSamePlace) places.set(key, 'ambiguous')
    }
    return places
  }
  const placesById = indexBy('id')
  const placesByName = indexBy('name')
  return (text) => {
    const key = normalizeKey(text)
    return placesById.get(key) ?? placesByName.get(key) ?? 'unknown'
  }
}

/** Counts the stations inside and outside of the region, like the rows of a file. */
export function countStations(
  stations: readonly Station[],
  center: { lon: number; lat: number },
): PlaceCounts {
  const outside = stations.filter(({ lon, lat }) => !isWithinReach(lon, lat, center))
  return {
    rows: stations.length,
    outside: outside.length,
    swapped: outside.filter(({ lon, lat }) => isWithinReach(lat, lon, center)).length,
  }
}

/** Returns the summary of a stations file that is stored with its import. */
export const summarizeStations = (
  fileNames: readonly string[],
  stations: readonly Station[],
  center: { lon: number; lat: number },
): NonNullable<FileAnswers['stations']> => ({
  fileName: fileNames.join(', '),
  stations: stations.length,
  places: countStations(stations, center),
})

/** Serializes stations. They are stored together with a trip file until its rows are stored. */
export const writeStations = (stations: readonly Station[]): Buffer => Buffer.from(JSON.stringify(stations))

/** Reads stored stations and returns their lookup function. */
export async function loadStations(file: string): Promise<(text: string) => StationPlace> {
  return createStationLookup(JSON.parse(await fs.promises.readFile(file, 'utf8')) as Station[])
}
