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

/**
 * Returns the number of a row in a column, without thousands separators, percent or currency signs; null if
 * it is none.
 */
export const readNumber = (fields: Fields, columns: FileColumns, column: CountColumn): number | null => {
  const text = readText(fields, columns, column)
  return toNumber(
    text
      .replace(/^[$€£]\s*/, '')
      .replace(/\s*%$/, '')
      .replace(/(\d),(?=\d{3}\b)/g, '$1'),
  )
}

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
    const [id, name, street, side] = [read('place'), read('name'), read('street'), read('side')]
    const stretch = [street, side, read('begin_street'), read('end_street')].filter(Boolean).join(' | ')
    const key = (id || name || stretch).slice(0, 500)
    if (!key) return null
    const existing = this.#places.get(key)
    if (existing) return existing
    const position = this.#readPosition(fields)
    const place: FilePlace = {
      key,
      label: (name || stretch || id).slice(0, 500),
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
    const [first, second] = [Number(match[1]), Number(match[2])]
    // WKT begins with the longitude; pairs in brackets begin with the latitude.
    return /^POINT/i.test(text) ? [first, second] : [second, first]
  }
}

/** Reads the times of rows from one column, or from a date and a time of day. */
export class RowTimes {
  readonly #columns: FileColumns
  readonly #clock: CivilClock
  readonly #dayOrder: DayOrder
  readonly #isUtc: boolean
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
    this.#dayOrder = detectDayOrder(
      sample.map(
        (fields) => readText(fields, columns, this.#isSplit ? 'date' : column).split(/[T ]/)[0] ?? '',
      ),
    )
  }

  /**
   * Returns the instants (ms) of the time of a row: none if the clock skipped it, two if the clock showed it
   * twice. null if the row has no readable time.
   */
  read(fields: Fields, column: 'time' | 'arrival' | 'departure' = 'time'): number[] | null {
    if (!this.#isSplit) {
      const time = readFileTime(readText(fields, this.#columns, column), this.#dayOrder, this.#isUtc)
      return time && getInstants(time, this.#clock)
    }
    const day = readDay(readText(fields, this.#columns, 'date').split(/[T ]/)[0] ?? '', this.#dayOrder)
    const seconds = readHour(readText(fields, this.#columns, 'clock'))
    return day === null || seconds === null ? null : getInstants({ day, seconds }, this.#clock)
  }
}

/**
 * Reads seconds after midnight of a time of day, an hour (`8`), or hours and minutes as a number (`1230`,
 * `800.0`); null if none.
 */
export function readHour(text: string): number | null {
  const number = toNumber(text)
  if (number === null) return readTimeOfDay(text)
  if (number < 0 || !Number.isInteger(number)) return null
  if (number < 24) return number * 3600
  const [hour, minute] = [Math.floor(number / 100), number % 100]
  return hour < 24 && minute < 60 ? hour * 3600 + minute * 60 : null
}

/** Remembers times of places, in bit sets because files have many millions of rows. */
export class SeenTimes {
  readonly #times = new Map<string, Map<number, Uint32Array>>()
  readonly #stepMs: number
  constructor(stepMs: number) {
    this.#stepMs = stepMs
  }
  /** Adds a time; returns false if it was added before. */
  add(place: string, ms: number): boolean {
    const step = Math.floor(ms / this.#stepMs)
    const [chunk, bit] = [Math.floor(step / 1024), step % 1024]
    let chunks = this.#times.get(place)
    if (!chunks) this.#times.set(place, (chunks = new Map()))
    let bits = chunks.get(chunk)
    if (!bits) chunks.set(chunk, (bits = new Uint32Array(32)))
    const [word, mask] = [bit >>> 5, 1 << (bit & 31)]
    if ((bits[word]! & mask) !== 0) return false
    bits[word]! |= mask
    return true
  }
}

export const joinRow = (fields: Fields): string => Object.values(fields).join(',')
