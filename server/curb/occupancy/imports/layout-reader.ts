import type { CivilClock } from '#contract/civil-clock.ts'
import type { CountOptions } from '#contract/curb-counts.ts'
import { toNumber } from '../../imports/checks/values.ts'
import type { TableRecord } from '../../imports/table/table-records.ts'
import type { CountSink, FilePlace } from './count-sink.ts'
import type { CountColumn, FileColumns } from './file-columns.ts'
import {
  type DayOrder,
  getInstants,
  detectDayOrder,
  readDay,
  readFileTime,
  readTimeOfDay,
} from './local-time.ts'

export type Fields = Readonly<Record<string, string>>

/** What a reader knows about a file besides its rows, and where it puts counts. */
export interface LayoutContext {
  columns: FileColumns
  options: CountOptions
  clock: CivilClock
  /** The first rows of the file. */
  sample: readonly Fields[]
  sink: CountSink
}

/** Adds the rows of a file with one layout to the counts. */
export interface LayoutReader {
  add(record: TableRecord & { fields: Fields }): void
  /** Adds counts that depend on all rows. Yields from time to time, so that the sums so far can be stored. */
  finish?(): Generator<void>
}

/** Reads the value of a row in a column; '' if the file does not have the column. */
export const readText = (fields: Fields, { columns }: FileColumns, column: CountColumn): string => {
  const name = columns[column]
  return name === undefined ? '' : (fields[name] ?? '')
}

/** Reads a number with optional thousands separators, percent or currency sign; null if it is not a number. */
export const readNumber = (fields: Fields, columns: FileColumns, column: CountColumn): number | null => {
  const text = readText(fields, columns, column)
  return toNumber(
    text
      .replace(/^[$€£]\s*/, '')
      .replace(/\s*%$/, '')
      .replace(/(\d),(?=\d{3}\b)/g, '$1'),
  )
}

/** Characters of a stored key or label of a place. */
const maxTextLength = 500
/** Two numbers, such as in `POINT (-122.3 47.6)` or `(47.6, -122.3)`. */
const pointPattern = /(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)/

/** The places of a file, each created once. */
export class FilePlaces {
  readonly #columns: FileColumns
  readonly #places = new Map<string, FilePlace>()
  constructor(columns: FileColumns) {
    this.#columns = columns
  }

  /** Returns the place of a row; null if the row names none. */
  get(fields: Fields): FilePlace | null {
    const read = (column: CountColumn): string => readText(fields, this.#columns, column)
    const id = read('place')
    const name = read('name')
    const street = read('street')
    const side = read('side')
    const stretch = [street, side, read('begin_street'), read('end_street')].filter(Boolean).join(' | ')
    const key = (id || name || stretch).slice(0, maxTextLength)
    if (!key) return null
    const existing = this.#places.get(key)
    if (existing) return existing
    const position = this.#readPosition(fields)
    const place: FilePlace = {
      key,
      label: (name || stretch || id).slice(0, maxTextLength),
      names: [...new Set([id, name, stretch].filter(Boolean))],
      street: street || name,
      side,
      lon: position?.[0] ?? null,
      lat: position?.[1] ?? null,
    }
    this.#places.set(key, place)
    return place
  }

  #readPosition(fields: Fields): [number, number] | null {
    const [lon, lat] = [readNumber(fields, this.#columns, 'lon'), readNumber(fields, this.#columns, 'lat')]
    if (lon !== null && lat !== null) return [lon, lat]
    const text = readText(fields, this.#columns, 'point')
    const match = pointPattern.exec(text)
    if (!match) return null
    const firstNumber = Number(match[1])
    const second = Number(match[2])
    // WKT begins with the longitude; pairs in brackets begin with the latitude.
    return /^POINT/i.test(text) ? [firstNumber, second] : [second, firstNumber]
  }
}

/** Returns a date without the time of day that may follow it. */
export const removeTime = (text: string): string => text.split(/[T ]/)[0] ?? ''

/** Reads the times of rows from one column, or from a date and a time of day. */
export class RowTimes {
  readonly #columns: FileColumns
  readonly #clock: CivilClock
  readonly #dayOrder: DayOrder
  readonly #isUtc: boolean
  /** Whether date and time of day are in two columns. */
  readonly #isSplit: boolean

  constructor({ columns, clock, sample }: LayoutContext, column: 'time' | 'arrival' | 'departure' = 'time') {
    this.#columns = columns
    this.#clock = clock
    this.#isSplit =
      column === 'time' &&
      columns.columns.date !== undefined &&
      columns.columns.clock !== undefined &&
      (columns.columns.time === undefined || columns.columns.time === columns.columns.clock)
    this.#isUtc = /utc/i.test(columns.columns[column] ?? '')
    const dateColumn = this.#isSplit ? 'date' : column
    this.#dayOrder = detectDayOrder(sample.map((fields) => removeTime(readText(fields, columns, dateColumn))))
  }

  /** Returns the instants (ms) of a row: none if skipped, two if repeated; null if unreadable. */
  read(fields: Fields, column: 'time' | 'arrival' | 'departure' = 'time'): number[] | null {
    if (!this.#isSplit) {
      const time = readFileTime(readText(fields, this.#columns, column), this.#dayOrder, this.#isUtc)
      return time && getInstants(time, this.#clock)
    }
    const day = readDay(removeTime(readText(fields, this.#columns, 'date')), this.#dayOrder)
    const seconds = readHour(readText(fields, this.#columns, 'clock'))
    return day === null || seconds === null ? null : getInstants({ day, seconds }, this.#clock)
  }
}

/** Reads `8:30`, an hour (`8`) or `1230` as seconds after midnight; null for other texts. */
export function readHour(text: string): number | null {
  const number = toNumber(text)
  if (number === null) return readTimeOfDay(text)
  if (number < 0 || !Number.isInteger(number)) return null
  if (number < 24) return number * 3600
  const hour = Math.floor(number / 100)
  const minute = number % 100
  return hour < 24 && minute < 60 ? hour * 3600 + minute * 60 : null
}

/** Remembers times of places, in bit sets because of millions of rows. A chunk has 1,024 time steps. */
export class SeenTimes {
  readonly #times = new Map<string, Map<number, Uint32Array>>()
  readonly #stepMs: number
  constructor(stepMs: number) {
    this.#stepMs = stepMs
  }
  /** Adds a time; returns false if it was added before. */
  add(place: string, ms: number): boolean {
    const step = Math.floor(ms / this.#stepMs)
    const chunk = Math.floor(step / 1024)
    const bit = step % 1024
    let chunks = this.#times.get(place)
    if (!chunks) this.#times.set(place, (chunks = new Map()))
    let bits = chunks.get(chunk)
    if (!bits) chunks.set(chunk, (bits = new Uint32Array(32)))
    const word = bit >>> 5
    const mask = 1 << (bit & 31)
    if ((bits[word]! & mask) !== 0) return false
    bits[word]! |= mask
    return true
  }
}

/** Returns the text of a row that findings show. */
export const joinRow = (fields: Fields): string => Object.values(fields).join(',')
