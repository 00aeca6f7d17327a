import type { CountFindingCode } from '#contract/curb-counts.ts'
import type { OccupancySource } from '#contract/curb-occupancy.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import { dayFromNumber, type LocalDay } from '#contract/period.ts'
import { floorToHour, hourMs } from '#server/fleet/cubes/cube-clock.ts'

/** A place as a file names it. */
export interface FilePlace {
  key: string
  label: string
  /** Ids and names by which a zone, space or object may be known. */
  names: readonly string[]
  street: string
  side: string
  lon: number | null
  lat: number | null
}

/** Spaces of a place during a time. */
export interface Counted {
  occupied: number
  known: number
  unknown: number
  closed: number
  /** By the file; 0 is unknown. */
  spaces: number
  /** The values are of one space. */
  isShare: boolean
}

export interface StoredFinding {
  row: number
  code: CountFindingCode
  isSetAside: boolean
  message: string
  source: string
}

export interface CountCell {
  day: LocalDay
  /** Seconds since 1970. */
  hour: number
  place: string
  source: OccupancySource
  values: Float64Array
}

/** Findings of one reason that are stored. */
const maxFindings = 1000
/** Cells in memory before they are stored. */
const maxCells = 60_000
/** A row is not taken as ahead of the clock within this time. */
const aheadMs = 60_000

interface PlaceSums {
  place: FilePlace
  rows: number
  spaces: number
  /** By hour, ms. */
  cells: Map<number, Float64Array>
}

/** Adds up what a file counts by place and hour, and remembers what was wrong. */
export class CountSink {
  readonly findings: StoredFinding[] = []
  readonly codes = new Map<CountFindingCode, number>()
  readonly places = new Map<string, PlaceSums>()
  rows = 0
  accepted = 0
  setAside = 0
  /** Ms of spaces by hour of the local day: occupied and known. */
  readonly profile = new Float64Array(48)
  firstDay: LocalDay | null = null
  lastDay: LocalDay | null = null
  readonly source: OccupancySource
  readonly #clock: CivilClock
  readonly #shift: number
  readonly #now: number
  #cells = 0

  constructor(options: { source: OccupancySource; clock: CivilClock; shift: number; now: number }) {
    this.source = options.source
    this.#clock = options.clock
    this.#shift = options.shift
    this.#now = options.now
  }

  isAhead(ms: number): boolean {
    return ms > this.#now + aheadMs
  }

  /** A row that does not count, and why. */
  refuse(row: number, code: CountFindingCode, message: string, source: string): void {
    this.setAside++
    this.#find({ row, code, isSetAside: true, message, source })
  }

  /** Something about a row that counts. */
  note(row: number, code: CountFindingCode, message: string, source: string): void {
    this.#find({ row, code, isSetAside: false, message, source })
  }

  /** A row that counts; its times are added with `add`. */
  accept(place: FilePlace): void {
    this.accepted++
    this.#sumsOf(place).rows++
  }

  /** Adds spaces of a place during a time, hour by hour. */
  add(place: FilePlace, from: number, until: number, counted: Counted): void {
    const sums = this.#sumsOf(place)
    sums.spaces = Math.max(sums.spaces, counted.spaces)
    for (let hour = floorToHour(from, this.#shift); hour < until; hour += hourMs) {
      const ms = Math.min(until, hour + hourMs) - Math.max(from, hour)
      let values = sums.cells.get(hour)
      if (!values) {
        sums.cells.set(hour, (values = new Float64Array(6)))
        this.#cells++
      }
      values[0]! += counted.occupied * ms
      values[1]! += counted.known * ms
      values[2]! += counted.unknown * ms
      values[3]! += counted.closed * ms
      values[4] = Math.max(values[4]!, counted.spaces)
      if (counted.isShare) values[5] = 1
    }
  }

  get isFull(): boolean {
    return this.#cells >= maxCells
  }

  /** The sums so far, which are forgotten. Sums of the same place and hour may come again. */
  take(): CountCell[] {
    const cells: CountCell[] = []
    for (const [place, sums] of this.places) {
      for (const [hour, values] of sums.cells) {
        const local = this.#clock.local(hour)
        const day = dayFromNumber(local.day)
        if (this.firstDay === null || day < this.firstDay) this.firstDay = day
        if (this.lastDay === null || day > this.lastDay) this.lastDay = day
        this.profile[local.hour * 2]! += values[0]!
        this.profile[local.hour * 2 + 1]! += values[1]!
        cells.push({ day, hour: hour / 1000, place, source: this.source, values })
      }
      sums.cells = new Map()
    }
    this.#cells = 0
    return cells
  }

  #sumsOf(place: FilePlace): PlaceSums {
    let sums = this.places.get(place.key)
    if (!sums) this.places.set(place.key, (sums = { place, rows: 0, spaces: 0, cells: new Map() }))
    return sums
  }

  #find(finding: StoredFinding): void {
    const count = (this.codes.get(finding.code) ?? 0) + 1
    this.codes.set(finding.code, count)
    if (count <= maxFindings)
      this.findings.push({
        ...finding,
        message: finding.message.slice(0, 500),
        source: finding.source.slice(0, 2000),
      })
  }
}
