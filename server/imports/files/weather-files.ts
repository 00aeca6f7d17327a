import Papa from 'papaparse'
import { maxRawLength } from '#server/fleet/events/feed-records.ts'
import { fileSource } from '#server/issues/store-issues.ts'
import { isDlyLine, isStationLine } from '#server/weather/read-by-station.ts'
import { findGhcnColumns } from '#server/weather/read-ghcn.ts'
import { readWeatherTable } from '#server/weather/read-weather-table.ts'
import { removeImportedWeather } from '#server/weather/remove-imported-weather.ts'
import { storeWeather } from '#server/weather/store-weather.ts'
import type { FileHead, FileKind } from './file-kind.ts'
import { readFileText } from './read-file-text.ts'

const parseFields = (line: string): string[] => Papa.parse<string[]>(line).data[0] ?? []

/** Names the layout of a weather file by its first line; null if the file is not a weather file. */
function findWeatherLayout(firstLine: string, header: FileHead['header']) {
  if (isDlyLine(firstLine)) return 'GHCN-Daily .dly'
  if (isStationLine(header)) return 'GHCN-Daily by station'
  return findGhcnColumns(header) ? 'NOAA daily' : null
}

/** Daily weather of NOAA: exports with one day per row, files of a station, and .dly files. */
export const weatherFiles: FileKind = {
  kind: 'weather',
  recognize({ json, header, firstLine }) {
    const layout = json === undefined ? findWeatherLayout(firstLine, header) : null
    return layout ? { kind: 'weather', layout, missingAnswers: [], answers: {} } : null
  },
  async *read({ filePath, sizeBytes, state, scope, regionId, importId, sentMs }) {
    const table = readWeatherTable((await readFileText(filePath)).split(/\r\n|\n|\r/), parseFields)
    if (!table) return
    yield {
      rows: table.rows,
      bytes: sizeBytes,
      rejected: table.rejected.map(({ raw, ...row }) => ({
        ...row,
        raw: { row: raw.slice(0, maxRawLength) },
      })),
      store: () =>
        storeWeather(state, scope, { regionId, source: fileSource, observed: sentMs, importId }, table.days),
    }
  },
  remove: ({ state, scope, regionId, importId }) => removeImportedWeather(state, scope, regionId, importId),
}
