import type { FileReason } from '#server/table-files/row-reasons.ts'
import type { DayWeather } from './day-weather.ts'
import { findFigure, readGhcnDay, isGhcnElement, readGhcnValue } from './read-ghcn.ts'

/** One value, or why it is invalid; null for a missing value or an element that is not stored. */
export type StationValue = DayWeather | { reason: FileReason; detail: string } | null

const stationIdPattern = /^[A-Z]{2}[A-Z0-9_-]{9}$/

/** A value as written in a file. */
interface ValueText {
  station: string
  day: string
  element: string
  value: string
  qualityFlag: string
}

function readValue({ station, day, element, value: text, qualityFlag }: ValueText): StationValue {
  const figure = findFigure(element)
  if (!isGhcnElement(element) || !figure) return null
  const value = readGhcnValue(text, element, 'tenths', qualityFlag)
  if (value === null || typeof value === 'object') return value
  return { day, kind: 'measured', place: station, station, figures: { [figure]: value } }
}

/**
 * Returns whether a line has the form of GHCN-Daily's by-station CSV: station, day, element, value,
 * measurement flag, quality flag, source flag, time.
 */
export const isStationLine = (fields: readonly string[]): boolean =>
  fields.length >= 4 &&
  fields.length <= 8 &&
  stationIdPattern.test(fields[0] ?? '') &&
  /^\d{8}$/.test(fields[1] ?? '') &&
  /^[A-Z0-9]{4}$/.test(fields[2] ?? '')

/** Reads a line of a by-station CSV. Values are in tenths of a millimeter or of a degree. */
export function readStationLine(fields: readonly string[]): StationValue {
  const [station = '', dayText = '', element = '', value = '', , qualityFlag = ''] = fields.map((field) =>
    field.trim(),
  )
  if (!stationIdPattern.test(station)) return { reason: 'not_a_record', detail: station.slice(0, 80) }
  const day = readGhcnDay(dayText)
  return day === null
    ? { reason: 'bad_day', detail: dayText.slice(0, 80) }
    : readValue({ station, day, element, value, qualityFlag })
}

/** Returns whether a line has the form of GHCN-Daily's .dly files: fixed widths, one month per line. */
export const isDlyLine = (line: string): boolean =>
  /^[A-Z]{2}[A-Z0-9_-]{9}\d{6}[A-Z0-9]{4}(?:[ \d-]{5}...){1,31}\s*$/.test(line)

/** Width of a day's value in a .dly line: five characters, then the measurement, quality and source flags. */
const dlyValueWidth = 8

/** Reads a line of a .dly file, which has a value for each day of a month, -9999 if missing. */
export function readDlyLine(line: string): StationValue[] {
  const station = line.slice(0, 11)
  const month = `${line.slice(11, 15)}-${line.slice(15, 17)}`
  const element = line.slice(17, 21)
  if (!findFigure(element)) return []
  const values: StationValue[] = []
  for (let dayOfMonth = 1; dayOfMonth <= 31; dayOfMonth++) {
    const from = 21 + (dayOfMonth - 1) * dlyValueWidth
    const value = line.slice(from, from + 5).trim()
    if (value === '' || value === '-9999') continue
    const qualityFlag = line.slice(from + 6, from + 7).trim()
    const day = readGhcnDay(`${month}-${String(dayOfMonth).padStart(2, '0')}`)
    values.push(
      day === null
        ? { reason: 'bad_day', detail: `${month}-${dayOfMonth}` }
        : readValue({ station, day, element, value, qualityFlag }),
    )
  }
  return values
}
