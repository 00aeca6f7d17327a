import { dayFromNumber } from '#contract/period.ts'
import type { WeatherFigure } from '#contract/weather.ts'
import { toPlainName } from '#server/table-files/column-names.ts'
import { toPlainText } from '#server/table-files/plain-text.ts'
import { readNumber } from '#server/table-files/read-quantity.ts'
import { readDate } from '#server/table-files/read-time.ts'
import type { FileReason } from '#server/table-files/row-reasons.ts'
import type { DayWeather } from './day-weather.ts'

/** The units of a file: US customary, metric, or tenths of metric units as in GHCN-Daily itself. */
export type GhcnUnits = 'standard' | 'metric' | 'tenths'

/**
 * The elements of GHCN-Daily that are read: the figure in which each is stored, null if only its name is
 * recognized, and the quantity that its unit depends on.
 */
const elements = {
  PRCP: { figure: 'precipitation_mm', quantity: 'water' },
  SNOW: { figure: 'snowfall_mm', quantity: 'snow' },
  SNWD: { figure: 'snow_depth_mm', quantity: 'snow' },
  TMAX: { figure: 'temperature_max_c', quantity: 'temperature' },
  TMIN: { figure: 'temperature_min_c', quantity: 'temperature' },
  TAVG: { figure: 'temperature_mean_c', quantity: 'temperature' },
  AWND: { figure: null, quantity: 'wind' },
  WSF2: { figure: 'wind_max_kmh', quantity: 'wind' },
} as const satisfies Record<string, { figure: WeatherFigure | null; quantity: string }>
export type GhcnElement = keyof typeof elements
export const isGhcnElement = (name: string): name is GhcnElement => Object.hasOwn(elements, name)

/** Reads the unit system that a column's name states, such as `PRCP (in)` or `TMAX (°C)`; null if none. */
function readUnit(name: string): 'standard' | 'metric' | null {
  const unit = /[([]\s*([^)\]]+?)\s*[)\]]/.exec(name)?.[1]?.toLowerCase()
  if (!unit) return null
  if (/^(in|inch(es)?|°?\s*f|fahrenheit|mph)$/.test(unit)) return 'standard'
  return /^(mm|cm|°?\s*c|celsius|m\/s)$/.test(unit) ? 'metric' : null
}

/** Converts a value to °C, km/h or mm. Sources are °C or °F, m/s or mph, mm or inches. */
function toStoredUnit(value: number, element: GhcnElement, units: GhcnUnits): number {
  const { quantity } = elements[element]
  const isStandard = units === 'standard'
  // GHCN-Daily itself has tenths of a millimeter of water, but millimeters of snow.
  const metricValue = units === 'tenths' && quantity !== 'snow' ? value / 10 : value
  if (quantity === 'temperature') return isStandard ? ((value - 32) * 5) / 9 : metricValue
  if (quantity === 'wind') return isStandard ? value * 1.609344 : metricValue * 3.6
  return isStandard ? value * 25.4 : metricValue
}

/** Returns whether a value in °C, km/h or mm is within the world's records, with some margin. */
function isPossible(value: number, element: GhcnElement): boolean {
  const { quantity } = elements[element]
  if (quantity === 'temperature') return value >= -95 && value <= 62
  if (quantity === 'wind') return value >= 0 && value <= 500
  return value >= 0 && value <= (element === 'SNWD' ? 15_000 : 2500)
}

const roundToHundredths = (value: number): number => Math.round(value * 100) / 100

/**
 * Reads a value of an element in °C, km/h or mm; null if it is missing or failed NOAA's quality check; or why
 * it is invalid.
 */
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
  // Any quality flag means that a check failed.
  if (qualityFlag !== '') return null
  const figure = roundToHundredths(toStoredUnit(value, element, units))
  return isPossible(figure, element)
    ? figure
    : { reason: 'impossible_figure', detail: `${element}: ${text.slice(0, 80)}` }
}

/** Indices of the columns of a list with one day per row; -1 for a missing column. */
export interface GhcnColumns {
  station: number
  name: number
  day: number
  elements: readonly {
    element: GhcnElement
    column: number
    attributesColumn: number
    units: 'standard' | 'metric' | null
  }[]
  /** Whether there are columns of flags, as in GHCN-Daily itself. */
  hasAttributes: boolean
}

/** Finds the columns of NOAA's daily exports in a header; null for other headers. */
export function findGhcnColumns(header: readonly string[]): GhcnColumns | null {
  const plain = header.map((name) => toPlainName(name.replace(/[([].*$/, '')))
  const elementColumns = (Object.keys(elements) as GhcnElement[]).flatMap((element) => {
    const column = plain.indexOf(element.toLowerCase())
    return column < 0
      ? []
      : [
          {
            element,
            column,
            attributesColumn: plain.indexOf(`${element.toLowerCase()}attributes`),
            units: readUnit(header[column] ?? ''),
          },
        ]
  })
  const day = plain.indexOf('date')
  if (
    day < 0 ||
    plain.indexOf('station') < 0 ||
    !elementColumns.some(({ element }) => ['PRCP', 'TMAX', 'TMIN'].includes(element))
  )
    return null
  return {
    station: plain.indexOf('station'),
    name: plain.indexOf('name'),
    day,
    elements: elementColumns,
    hasAttributes: elementColumns.some(({ attributesColumn }) => attributesColumn >= 0),
  }
}

/**
 * Detects the units of a list: those that a column's name states, otherwise derived from the values. NOAA's
 * exports have rain in hundredths of an inch or tenths of a millimeter; GHCN-Daily itself has integer tenths.
 * Integer temperatures without rain are Fahrenheit, unless they are too high for that.
 */
export function detectGhcnUnits(
  { elements: elementColumns, hasAttributes }: GhcnColumns,
  rows: readonly (readonly string[])[],
): GhcnUnits {
  const statedUnits = elementColumns.find(({ units }) => units)?.units
  if (statedUnits) return statedUnits
  const getValues = (...selected: GhcnElement[]): string[] =>
    elementColumns
      .filter(({ element }) => selected.includes(element))
      .flatMap(({ column }) =>
        rows.map((row) => (row[column] ?? '').trim()).filter((text) => text !== '' && !/^-?9999/.test(text)),
      )
  const rain = getValues('PRCP')
  if (rain.some((text) => /\.\d\d$/.test(text))) return 'standard'
  if (rain.some((text) => /\.\d$/.test(text))) return 'metric'
  const temperatures = getValues('TMAX', 'TMIN', 'TAVG')
  if (temperatures.some((text) => text.includes('.'))) return 'metric'
  const exceedsFahrenheit = temperatures.some((text) => Math.abs(Number(text)) > 140)
  if (hasAttributes || exceedsFahrenheit || (rain.length > 0 && !temperatures.length)) return 'tenths'
  return temperatures.length ? 'standard' : 'tenths'
}

/** Reads a day such as `2018-07-31`, `20180731` or `7/31/2018` as YYYY-MM-DD; null if it is none. */
export function readGhcnDay(text: string): string | null {
  const packed = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  const day = readDate(packed ? `${packed[1]}-${packed[2]}-${packed[3]}` : text.slice(0, 10), 'mdy')
  return day === null ? null : dayFromNumber(day)
}

/** Returns a function that reads a row of a list with one day per row. */
export function createGhcnRowReader(
  columns: GhcnColumns,
  units: GhcnUnits,
): (fields: readonly string[]) => DayWeather | { reason: FileReason; detail: string } {
  const getText = (fields: readonly string[], column: number): string =>
    column < 0 ? '' : toPlainText(fields[column], 200)
  return (fields) => {
    if (fields.every((field) => field.trim() === '')) return { reason: 'empty_row', detail: '' }
    const dayText = getText(fields, columns.day)
    if (dayText === '') return { reason: 'no_day', detail: '' }
    const day = readGhcnDay(dayText)
    if (day === null || day < '1763' || day >= '2100') return { reason: 'bad_day', detail: dayText }
    const figures: DayWeather['figures'] = {}
    let hasFailedCheck = false
    for (const { element, column, attributesColumn, units: columnUnits } of columns.elements) {
      const { figure } = elements[element]
      const [, qualityFlag = ''] = getText(fields, attributesColumn)
        .split(',')
        .map((attribute) => attribute.trim())
      const value = readGhcnValue(getText(fields, column), element, columnUnits ?? units, qualityFlag)
      if (value !== null && typeof value === 'object') return value
      if (value !== null && figure) figures[figure] = value
      else if (qualityFlag !== '') hasFailedCheck = true
    }
    if (!Object.keys(figures).length)
      return { reason: hasFailedCheck ? 'failed_check' : 'no_figures', detail: '' }
    const station = getText(fields, columns.station)
    return { day, kind: 'measured', place: getText(fields, columns.name) || station, station, figures }
  }
}

/** Finds the figure in which an element is stored; null if it is not stored. */
export const findFigure = (element: string): WeatherFigure | null =>
  isGhcnElement(element) ? elements[element].figure : null
