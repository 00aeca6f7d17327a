import type { WeatherFigure } from '#contract/weather.ts'
import type { DayWeather } from './day-weather.ts'
import type { FileReason } from '#server/table-files/row-reasons.ts'
import { plainName } from '#server/table-files/column-names.ts'
import { plainText } from '#server/table-files/plain-text.ts'
import { readDate } from '#server/table-files/read-time.ts'
import { readNumber } from '#server/table-files/read-quantity.ts'
import { dayFromNumber } from '#contract/period.ts'

/** The units of a file: US customary, metric, or tenths of metric units as in GHCN-Daily itself. */
export type GhcnUnits = 'standard' | 'metric' | 'tenths'

/** The stored elements of GHCN-Daily: water, snow (whole mm in GHCN-Daily itself), temperature or wind. */
const elements = {
  PRCP: { figure: 'precipitation_mm', of: 'water' },
  SNOW: { figure: 'snowfall_mm', of: 'snow' },
  SNWD: { figure: 'snow_depth_mm', of: 'snow' },
  TMAX: { figure: 'temperature_max_c', of: 'heat' },
  TMIN: { figure: 'temperature_min_c', of: 'heat' },
  TAVG: { figure: 'temperature_mean_c', of: 'heat' },
  AWND: { figure: null, of: 'wind' },
  WSF2: { figure: 'wind_max_kmh', of: 'wind' },
} as const satisfies Record<string, { figure: WeatherFigure | null; of: string }>
export type GhcnElement = keyof typeof elements
export const isGhcnElement = (name: string): name is GhcnElement => Object.hasOwn(elements, name)

/** The unit in a column's name: `PRCP (in)`, `TMAX (°C)`. */
function unitIn(name: string): 'standard' | 'metric' | null {
  const unit = /[([]\s*([^)\]]+?)\s*[)\]]/.exec(name)?.[1]?.toLowerCase()
  if (!unit) return null
  return /^(in|inch(es)?|°?\s*f|fahrenheit|mph)$/.test(unit)
    ? 'standard'
    : /^(mm|cm|°?\s*c|celsius|m\/s)$/.test(unit)
      ? 'metric'
      : null
}

/** A figure in our units. */
function inOurUnits(value: number, element: GhcnElement, units: GhcnUnits): number {
  const { of } = elements[element]
  if (of === 'heat')
    return units === 'standard' ? ((value - 32) * 5) / 9 : units === 'tenths' ? value / 10 : value
  if (of === 'wind')
    return units === 'standard' ? value * 1.609344 : (units === 'tenths' ? value / 10 : value) * 3.6
  if (units === 'standard') return value * 25.4
  return of === 'water' && units === 'tenths' ? value / 10 : value
}

/** Whether a value is within the world's records, with some margin. */
function isPossible(value: number, element: GhcnElement): boolean {
  const { of } = elements[element]
  if (of === 'heat') return value >= -95 && value <= 62
  if (of === 'wind') return value >= 0 && value <= 500
  return value >= 0 && value <= (element === 'SNWD' ? 15_000 : 2500)
}

const round = (value: number): number => Math.round(value * 100) / 100

/** A value of an element in our units, null if missing, or why it is invalid. */
export function readGhcnValue(
  text: string,
  element: GhcnElement,
  units: GhcnUnits,
  qualityFlag: string,
): number | null | { reason: FileReason; detail: string } {
  if (text === '' || /^-?9999(\.0*)?$/.test(text)) return null
  // `T`: a trace, too little to be measured.
  const value = /^t$/i.test(text) ? 0 : readNumber(text)
  if (Number.isNaN(value)) return { reason: 'bad_figure', detail: `${element}: ${text.slice(0, 80)}` }
  if (qualityFlag !== '') return null
  const ours = round(inOurUnits(value, element, units))
  return isPossible(ours, element)
    ? ours
    : { reason: 'impossible_figure', detail: `${element}: ${text.slice(0, 80)}` }
}

/** Columns of a list with one day per row. */
export interface GhcnColumns {
  station: number
  name: number
  day: number
  elements: readonly {
    element: GhcnElement
    place: number
    attributes: number
    units: 'standard' | 'metric' | null
  }[]
  /** Whether flags are beside the values, as in GHCN-Daily itself. */
  hasAttributes: boolean
}

/** Columns of NOAA's daily exports; null for other headers. */
export function ghcnColumns(header: readonly string[]): GhcnColumns | null {
  const plain = header.map((name) => plainName(name.replace(/[([].*$/, '')))
  const found = (Object.keys(elements) as GhcnElement[]).flatMap((element) => {
    const place = plain.indexOf(element.toLowerCase())
    return place < 0
      ? []
      : [
          {
            element,
            place,
            attributes: plain.indexOf(`${element.toLowerCase()}attributes`),
            units: unitIn(header[place] ?? ''),
          },
        ]
  })
  const day = plain.indexOf('date')
  if (
    day < 0 ||
    plain.indexOf('station') < 0 ||
    !found.some(({ element }) => ['PRCP', 'TMAX', 'TMIN'].includes(element))
  )
    return null
  return {
    station: plain.indexOf('station'),
    name: plain.indexOf('name'),
    day,
    elements: found,
    hasAttributes: found.some(({ attributes }) => attributes >= 0),
  }
}

/**
 * The units of a list, derived from its values: NOAA writes rain in hundredths of an inch or tenths of a millimeter; GHCN-Daily itself has
 * integer tenths. Without rain, integer temperatures are Fahrenheit.
 */
export function ghcnUnits(
  { elements: found, hasAttributes }: GhcnColumns,
  rows: readonly (readonly string[])[],
): GhcnUnits {
  const named = found.find(({ units }) => units)?.units
  if (named) return named
  const textsOf = (...selected: GhcnElement[]): string[] =>
    found
      .filter(({ element }) => selected.includes(element))
      .flatMap(({ place }) =>
        rows.map((row) => (row[place] ?? '').trim()).filter((text) => text !== '' && !/^-?9999/.test(text)),
      )
  const rain = textsOf('PRCP')
  if (rain.some((text) => /\.\d\d$/.test(text))) return 'standard'
  if (rain.some((text) => /\.\d$/.test(text))) return 'metric'
  const heat = textsOf('TMAX', 'TMIN', 'TAVG')
  if (heat.some((text) => text.includes('.'))) return 'metric'
  if (hasAttributes || heat.some((text) => Math.abs(Number(text)) > 140) || (rain.length > 0 && !heat.length))
    return 'tenths'
  return heat.length ? 'standard' : 'tenths'
}

/** Day (YYYY-MM-DD) of `2018-07-31`, `20180731` or `7/31/2018`. */
export function ghcnDay(text: string): string | null {
  const packed = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  const day = readDate(packed ? `${packed[1]}-${packed[2]}-${packed[3]}` : text.slice(0, 10), 'mdy')
  return day === null ? null : dayFromNumber(day)
}

/** Creates a reader of rows of a list with one day per row. */
export function ghcnRowReader(
  columns: GhcnColumns,
  units: GhcnUnits,
): (fields: readonly string[]) => DayWeather | { reason: FileReason; detail: string } {
  const textOf = (fields: readonly string[], place: number): string =>
    place < 0 ? '' : plainText(fields[place], 200)
  return (fields) => {
    if (fields.every((field) => field.trim() === '')) return { reason: 'empty_row', detail: '' }
    const dayText = textOf(fields, columns.day)
    if (dayText === '') return { reason: 'no_day', detail: '' }
    const day = ghcnDay(dayText)
    if (day === null || day < '1763' || day >= '2100') return { reason: 'bad_day', detail: dayText }
    const figures: DayWeather['figures'] = {}
    let failed = 0
    for (const { element, place, attributes, units: own } of columns.elements) {
      const { figure } = elements[element]
      const flag = textOf(fields, attributes).split(',')[1]?.trim() ?? ''
      const value = readGhcnValue(textOf(fields, place), element, own ?? units, flag)
      if (value !== null && typeof value === 'object') return value
      if (value !== null && figure) figures[figure] = value
      else if (flag !== '') failed++
    }
    if (!Object.keys(figures).length) return { reason: failed ? 'failed_check' : 'no_figures', detail: '' }
    const station = textOf(fields, columns.station)
    return { day, kind: 'measured', place: textOf(fields, columns.name) || station, station, figures }
  }
}

/** The figure of an element; null for one that is not stored. */
export const figureOf = (element: string): WeatherFigure | null =>
  isGhcnElement(element) ? elements[element].figure : null
