import type { CivilClock } from '#contract/civil-clock.ts'
import type { CountOptions } from '#contract/curb-counts.ts'
import { toNumber } from '../../imports/checks/values.ts'
import type { TableRecord } from '../../imports/table/table-records.ts'
import type { CountSink, FilePlace } from './count-sink.ts'
import type { CountColumn, FileColumns } from './file-columns.ts'
import { type DayOrder, instantsOf, orderOf, readDay, readFileTime, readTimeOfDay } from './local-time.ts'

export type Fields = Readonly<Record<string, string>>

/** What a reader knows of a file besides its rows. */
export interface LayoutContext {
  columns: FileColumns
  options: CountOptions
  clock: CivilClock
  /** The first rows of the file. */
  sample: readonly Fields[]
  sink: CountSink
}

/** Reads the rows of one layout. */
export interface LayoutReader {
  add(record: TableRecord & { fields: Fields }): void
  /** What only the whole file tells, in steps, so that sums can be stored between them. */
  finish?(): Generator<void>
}

/** A value of a row by its meaning; '' if the file has no such column. */
export const valueIn = (fields: Fields, { columns }: FileColumns, column: CountColumn): string => {
  const name = columns[column]
  return name === undefined ? '' : (fields[name] ?? '')
}

/** A number, also with separators of thousands, a percent sign or a currency sign; null if it is none. */
export const numberIn = (fields: Fields, columns: FileColumns, column: CountColumn): number | null => {
  const text = valueIn(fields, columns, column)
  return toNumber(
    text
      .replace(/^[$€£]\s*/, '')
      .replace(/\s*%$/, '')
      .replace(/(\d),(?=\d{3}\b)/g, '$1'),
  )
}

const point = /(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)/

/** Places of a file, each made once. */
export class FilePlaces {
  readonly #columns: FileColumns
  readonly #places = new Map<string, FilePlace>()
  constructor(columns: FileColumns) {
    this.#columns = columns
  }

  /** The place of a row; null if it names none. */
  of(fields: Fields): FilePlace | null {
    const value = (column: CountColumn): string => valueIn(fields, this.#columns, column)
    const [id, name, street, side] = [value('place'), value('name'), value('street'), value('side')]
    const stretch = [street, side, value('begin_street'), value('end_street')].filter(Boolean).join(' | ')
    const key = (id || name || stretch).slice(0, 500)
    if (!key) return null
    const known = this.#places.get(key)
    if (known) return known
    const position = this.#positionOf(fields)
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

  #positionOf(fields: Fields): [number, number] | null {
    const [lon, lat] = [numberIn(fields, this.#columns, 'lon'), numberIn(fields, this.#columns, 'lat')]
    if (lon !== null && lat !== null) return [lon, lat]
    const text = valueIn(fields, this.#columns, 'point')
    const found = point.exec(text)
    if (!found) return null
    const [one, two] = [Number(found[1]), Number(found[2])]
    // WKT has the longitude first; pairs in brackets have the latitude first.
    return /^POINT/i.test(text) ? [one, two] : [two, one]
  }
}

/** Reads the times of rows: of one column, or of a date and a time of day. */
export class RowTimes {
  readonly #columns: FileColumns
  readonly #clock: CivilClock
  readonly #order: DayOrder
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
    this.#order = orderOf(
      sample.map(
        (fields) => valueIn(fields, columns, this.#isSplit ? 'date' : column).split(/[T ]/)[0] ?? '',
      ),
    )
  }

  /** The instants of a row: none if the clock never showed it, two if twice. Null: it has no readable time. */
  of(fields: Fields, column: 'time' | 'arrival' | 'departure' = 'time'): number[] | null {
    if (!this.#isSplit) {
      const time = readFileTime(valueIn(fields, this.#columns, column), this.#order, this.#isUtc)
      return time && instantsOf(time, this.#clock)
    }
    const day = readDay(valueIn(fields, this.#columns, 'date').split(/[T ]/)[0] ?? '', this.#order)
    const seconds = readHour(valueIn(fields, this.#columns, 'clock'))
    return day === null || seconds === null ? null : instantsOf({ day, seconds }, this.#clock)
  }
}

/** Seconds after midnight: of a time of day, an hour (`8`), or hours and minutes as a number (`1230`, `800.0`). */
export function readHour(text: string): number | null {
  const number = toNumber(text)
  if (number === null) return readTimeOfDay(text)
  if (number < 0 || !Number.isInteger(number)) return null
  if (number < 24) return number * 3600
  const [hour, minute] = [Math.floor(number / 100), number % 100]
  return hour < 24 && minute < 60 ? hour * 3600 + minute * 60 : null
}

/** Which times of each place were read before. */
export class SeenTimes {
  readonly #times = new Map<string, Map<number, Uint32Array>>()
  readonly #step: number
  constructor(step: number) {
    this.#step = step
  }
  /** Notes a time; false if it was noted before. */
  note(place: string, ms: number): boolean {
    const number = Math.floor(ms / this.#step)
    const [chunk, bit] = [Math.floor(number / 1024), number % 1024]
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

/** A row as text for the report. */
export const rowText = (fields: Fields): string => Object.values(fields).join(',')
