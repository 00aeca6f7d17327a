import type { DayWeather } from './day-weather.ts'
import type { FileReason } from '#server/table-files/row-reasons.ts'
import { figureOf, ghcnDay, isGhcnElement, readGhcnValue } from './read-ghcn.ts'

/** One value of a line of a by-station file, or why it is invalid; null for a missing value or an element that is not stored. */
export type StationValue = DayWeather | { reason: FileReason; detail: string } | null

const stationId = /^[A-Z]{2}[A-Z0-9_-]{9}$/

function valueOf(
  station: string,
  day: string,
  element: string,
  text: string,
  qualityFlag: string,
): StationValue {
  const figure = figureOf(element)
  if (!isGhcnElement(element) || !figure) return null
  const value = readGhcnValue(text, element, 'tenths', qualityFlag)
  if (value === null || typeof value === 'object') return value
  return { day, kind: 'measured', place: station, station, figures: { [figure]: value } }
}

/** Whether a line is of GHCN-Daily's by-station CSV: station, day, element, value, measurement flag, quality flag, source flag, time. */
export const isStationLine = (fields: readonly string[]): boolean =>
  fields.length >= 4 &&
  fields.length <= 8 &&
  stationId.test(fields[0] ?? '') &&
  /^\d{8}$/.test(fields[1] ?? '') &&
  /^[A-Z0-9]{4}$/.test(fields[2] ?? '')

/** Reads a line of a by-station CSV: tenths of a millimeter and of a degree. */
export function readStationLine(fields: readonly string[]): StationValue {
  const [station = '', dayText = '', element = '', value = '', , qualityFlag = ''] = fields.map((field) =>
    field.trim(),
  )
  if (!stationId.test(station)) return { reason: 'not_a_record', detail: station.slice(0, 80) }
  const day = ghcnDay(dayText)
  return day === null
    ? { reason: 'bad_day', detail: dayText.slice(0, 80) }
    : valueOf(station, day, element, value, qualityFlag)
}

/** Whether a line is of GHCN-Daily's .dly: fixed widths, a month per line. */
export const isDlyLine = (line: string): boolean =>
  /^[A-Z]{2}[A-Z0-9_-]{9}\d{6}[A-Z0-9]{4}(?:[ \d-]{5}...){1,31}\s*$/.test(line)

/** Reads a line of a .dly file: a value for each day of the month, -9999 if missing. */
export function readDlyLine(line: string): StationValue[] {
  const [station, month, element] = [
    line.slice(0, 11),
    `${line.slice(11, 15)}-${line.slice(15, 17)}`,
    line.slice(17, 21),
  ]
  if (!figureOf(element)) return []
  const values: StationValue[] = []
  for (let at = 0; at < 31; at++) {
    const text = line.slice(21 + at * 8, 26 + at * 8).trim()
    if (text === '' || text === '-9999') continue
    const day = ghcnDay(`${month}-${String(at + 1).padStart(2, '0')}`)
    values.push(
      day === null
        ? { reason: 'bad_day', detail: `${month}-${at + 1}` }
        : valueOf(station, day, element, text, line.slice(27 + at * 8, 28 + at * 8).trim()),
    )
  }
  return values
}
