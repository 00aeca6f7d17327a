import type { CountFindingCode } from '#contract/curb-counts.ts'
import type { OccupancySource } from '#contract/curb-occupancy.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import { dayFromNumber, hourMs, type LocalDay } from '#contract/period.ts'
import { floorToHour } from '#server/fleet/cubes/cube-clock.ts'

/** A place as a file names it. */
export interface FilePlace {
  key: string
  label: string
  /** Ids and names that may identify a zone, space or object. */
  names: readonly string[]
  street: string
  side: string
  lon: number | null
  lat: number | null
}

/** Numbers of spaces of a place during a time. */
export interface CountedSpaces {
  occupied: number
  known: number
  unknown: number
  closed: number
  /** The capacity by the file; 0 if unknown. */
  spaces: number
  /** Whether the values are shares: those of one space. */
  isShare: boolean
}

/** A finding about a row, for the report. */
export interface StoredFinding {
  row: number
  code: CountFindingCode
  isSetAside: boolean
  message: string
  source: string
}

/** The sums of a place in an hour. */
export interface CountCell {
  day: LocalDay
  /** Seconds since 1970. */
  hour: number
  place: string
  source: OccupancySource
  /** As in `curb_counts`: space-ms occupied, known, unknown, closed; largest capacity; 1 for shares. */
  values: Float64Array
}

/** Stored findings per code. */
const maxFindings = 1000
/** Characters of stored findings. */
const maxMessageLength = 500
const maxSourceLength = 2000
/** Cells in memory before they must be stored. */
const maxCells = 60_000
/** Times up to this far in the future are accepted, because clocks of devices differ. */
const clockToleranceMs = 60_000

interface PlaceSums {
  place: FilePlace
  rows: number
  spaces: number
  /** Values of `CountCell` by hour, ms since 1970. */
  cells: Map<number, Float64Array>
}

/** Sums the counts of a file by place and hour, and collects findings. */
export class CountSink {
  readonly findings: StoredFinding[] = []
  /** Numbers of findings. */
  readonly codes = new Map<CountFindingCode, number>()
  readonly places = new Map<string, PlaceSums>()
  rows = 0
  accepted = 0
  setAside = 0
  /** Space-time (ms) of each hour of the local day, as pairs of occupied and known. */
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

  isInFuture(ms: number): boolean {
    return ms > this.#now + clockToleranceMs
  }

  /** Rejects a row: it does not count. */
  reject(row: number, code: CountFindingCode, message: string, source: string): void {
    this.setAside++
    this.#addFinding({ row, code, isSetAside: true, message, source })
  }

  /** Adds a finding about a row that counts. */
  warn(row: number, code: CountFindingCode, message: string, source: string): void {
    this.#addFinding({ row, code, isSetAside: false, message, source })
  }

  /** Accepts a row. Its times are added with `add`. */
  accept(place: FilePlace): void {
    this.accepted++
    this.#getSums(place).rows++
  }

  /** Adds the spaces of a place during a time to the sums of its hours. */
  add(place: FilePlace, from: number, until: number, counted: CountedSpaces): void {
    const sums = this.#getSums(place)
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

  /** Whether the sums should be flushed before more are added. */
  get isFull(): boolean {
    return this.#cells >= maxCells
  }

  /** Returns and clears the sums so far. A later call may return more sums of the same place and hour. */
  flush(): CountCell[] {
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

  #getSums(place: FilePlace): PlaceSums {
    let sums = this.places.get(place.key)
    if (!sums) this.places.set(place.key, (sums = { place, rows: 0, spaces: 0, cells: new Map() }))
    return sums
  }

  #addFinding(finding: StoredFinding): void {
    const count = (this.codes.get(finding.code) ?? 0) + 1
    this.codes.set(finding.code, count)
    if (count <= maxFindings)
      this.findings.push({
        ...finding,
        message: finding.message.slice(0, maxMessageLength),
        source: finding.source.slice(0, maxSourceLength),
      })
  }
}
