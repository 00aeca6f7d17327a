import type { FileReason } from '#server/table-files/row-reasons.ts'
import type { DayWeather } from './day-weather.ts'
import {
  isDlyLine,
  isStationLine,
  readDlyLine,
  readStationLine,
  type StationValue,
} from './read-by-station.ts'
import { findGhcnColumns, createGhcnRowReader, detectGhcnUnits } from './read-ghcn.ts'

/** The days of a file and its invalid rows. Lines are counted from 1. */
export interface WeatherTable {
  layout: 'noaa-daily' | 'ghcn-by-station' | 'ghcn-dly'
  days: DayWeather[]
  /** Number of rows; in layouts with several values per day, number of values. */
  rows: number
  rejected: { line: number; reason: FileReason; detail: string; raw: string }[]
}

/** Groups values of single elements by station and day. */
function groupByDay(
  layout: WeatherTable['layout'],
  lines: Iterable<{ line: number; raw: string; values: readonly StationValue[] }>,
): WeatherTable {
  const table: WeatherTable = { layout, days: [], rows: 0, rejected: [] }
  const days = new Map<string, DayWeather>()
  for (const { line, raw, values } of lines)
    for (const value of values) {
      table.rows++
      if (value === null) continue
      if ('reason' in value) {
        table.rejected.push({ line, reason: value.reason, detail: value.detail, raw })
        continue
      }
      const key = `${value.station} ${value.day}`
      const day = days.get(key)
      if (day) Object.assign(day.figures, value.figures)
      else days.set(key, value)
    }
  return { ...table, days: [...days.values()] }
}

/**
 * Reads a weather file of NOAA in any of its layouts; null for other files.
 * @param splitFields splits a line of CSV
 */
export function readWeatherTable(
  lines: readonly string[],
  splitFields: (line: string) => string[],
): WeatherTable | null {
  const firstIndex = lines.findIndex((line) => line.trim() !== '')
  // Without a byte order mark.
  const firstLine = (lines[firstIndex] ?? '').replace(/^\uFEFF/, '')
  const numberedLines = lines
    .map((raw, index) => ({ line: index + 1, raw }))
    .slice(firstIndex < 0 ? lines.length : firstIndex)
    .filter(({ raw }) => raw.trim() !== '')
  if (isDlyLine(firstLine))
    return groupByDay(
      'ghcn-dly',
      numberedLines.map(({ line, raw }) => ({
        line,
        raw,
        values: isDlyLine(raw) ? readDlyLine(raw) : [{ reason: 'not_a_record' as const, detail: '' }],
      })),
    )
  if (isStationLine(splitFields(firstLine)))
    return groupByDay(
      'ghcn-by-station',
      numberedLines.map(({ line, raw }) => ({ line, raw, values: [readStationLine(splitFields(raw))] })),
    )
  const header = splitFields(firstLine).map((name) => name.trim())
  const columns = findGhcnColumns(header)
  if (!columns) return null
  const rows = numberedLines.slice(1).map(({ line, raw }) => ({ line, raw, fields: splitFields(raw) }))
  const readRow = createGhcnRowReader(
    columns,
    detectGhcnUnits(
      columns,
      rows.map(({ fields }) => fields),
    ),
  )
  const table: WeatherTable = { layout: 'noaa-daily', days: [], rows: rows.length, rejected: [] }
  for (const { line, raw, fields } of rows) {
    const result =
      fields.length !== header.length && fields.some((field) => field !== '')
        ? {
            reason: 'column_count' as const,
            detail: `${fields.length} fields where the header has ${header.length}`,
          }
        : readRow(fields)
    if ('reason' in result) table.rejected.push({ line, ...result, raw })
    else table.days.push(result)
  }
  return table
}
