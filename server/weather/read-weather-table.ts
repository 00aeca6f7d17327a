import type { DayWeather } from './day-weather.ts'
import type { FileReason } from '#server/table-files/row-reasons.ts'
import {
  isDlyLine,
  isStationLine,
  readDlyLine,
  readStationLine,
  type StationValue,
} from './read-by-station.ts'
import { ghcnColumns, ghcnRowReader, ghcnUnits } from './read-ghcn.ts'

/** Days of a file, and the invalid rows. Lines count from 1. */
export interface WeatherTable {
  layout: 'noaa-daily' | 'ghcn-by-station' | 'ghcn-dly'
  days: DayWeather[]
  /** Rows, or values in files with several rows per day. */
  rows: number
  aside: { line: number; reason: FileReason; detail: string; raw: string }[]
}

/** Values that arrive one by one, grouped by day. */
function groupByDay(
  layout: WeatherTable['layout'],
  lines: Iterable<{ line: number; raw: string; values: readonly StationValue[] }>,
): WeatherTable {
  const table: WeatherTable = { layout, days: [], rows: 0, aside: [] }
  const days = new Map<string, DayWeather>()
  for (const { line, raw, values } of lines)
    for (const value of values) {
      table.rows++
      if (value === null) continue
      if ('reason' in value) {
        table.aside.push({ line, reason: value.reason, detail: value.detail, raw })
        continue
      }
      const key = `${value.station} ${value.day}`
      const known = days.get(key)
      if (known) Object.assign(known.figures, value.figures)
      else days.set(key, value)
    }
  return { ...table, days: [...days.values()] }
}

/** Reads a weather file of NOAA in any of its layouts; null for other files. `fieldsOf` splits a line of CSV. */
export function readWeatherTable(
  lines: readonly string[],
  fieldsOf: (line: string) => string[],
): WeatherTable | null {
  const at = lines.findIndex((line) => line.trim() !== '')
  const first = (lines[at] ?? '').replace(/^\uFEFF/, '')
  const numbered = lines
    .map((raw, index) => ({ line: index + 1, raw }))
    .slice(at < 0 ? lines.length : at)
    .filter(({ raw }) => raw.trim() !== '')
  if (isDlyLine(first))
    return groupByDay(
      'ghcn-dly',
      numbered.map(({ line, raw }) => ({
        line,
        raw,
        values: isDlyLine(raw) ? readDlyLine(raw) : [{ reason: 'not_a_record' as const, detail: '' }],
      })),
    )
  if (isStationLine(fieldsOf(first)))
    return groupByDay(
      'ghcn-by-station',
      numbered.map(({ line, raw }) => ({ line, raw, values: [readStationLine(fieldsOf(raw))] })),
    )
  const header = fieldsOf(first).map((name) => name.trim())
  const columns = ghcnColumns(header)
  if (!columns) return null
  const rows = numbered.slice(1).map(({ line, raw }) => ({ line, raw, fields: fieldsOf(raw) }))
  const read = ghcnRowReader(
    columns,
    ghcnUnits(
      columns,
      rows.map(({ fields }) => fields),
    ),
  )
  const table: WeatherTable = { layout: 'noaa-daily', days: [], rows: rows.length, aside: [] }
  for (const { line, raw, fields } of rows) {
    const found =
      fields.length !== header.length && fields.some((field) => field !== '')
        ? {
            reason: 'column_count' as const,
            detail: `${fields.length} fields where the header has ${header.length}`,
          }
        : read(fields)
    if ('reason' in found) table.aside.push({ line, ...found, raw })
    else table.days.push(found)
  }
  return table
}
