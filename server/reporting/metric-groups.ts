import { endOfDay, startOfDay } from '#contract/civil-clock.ts'
import { groupBy } from '#contract/group-by.ts'
import type { MetricDimension, MetricsResponse } from '#contract/metrics.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { listOperatingPeriods } from '#server/fleet/fleet-size/operating-periods.ts'
import type {
  ParkingSums,
  ReportDaySums,
  ReportFleet,
  ReportSums,
} from '#server/fleet/reports/read-report-facts.ts'
import type { GroupFacts } from './measure-values.ts'
import {
  type FeedCoverage,
  isTimeDimension,
  joinKeys,
  type SelectedHour,
  makeTimeKey,
} from './selected-hours.ts'

/** Rows of facts by group; `keys` are the values of the dimensions. */
export interface FactRows {
  sums: readonly ReportSums[]
  daySums: readonly ReportDaySums[]
  largestHours: readonly { keys: string[]; value: number }[]
  fleet: readonly ReportFleet[]
  parking: readonly ParkingSums[]
}

/** Returns the rows of groups. Queries with dimensions also return the total, as rows without keys. */
export const filterGroupRows = (facts: FactRows): FactRows => filterRows(facts, ({ keys }) => keys.length > 0)
export const filterTotalRows = (facts: FactRows): FactRows =>
  filterRows(facts, ({ keys }) => keys.length === 0)

function filterRows(facts: FactRows, isIncluded: (row: { keys: string[] }) => boolean): FactRows {
  return {
    sums: facts.sums.filter(isIncluded),
    daySums: facts.daySums.filter(isIncluded),
    largestHours: facts.largestHours.filter(isIncluded),
    fleet: facts.fleet.filter(isIncluded),
    parking: facts.parking.filter(isIncluded),
  }
}

/** The selected time, and how it is grouped. */
interface GroupTimes {
  hours: readonly SelectedHour[]
  timezone: string
  operatingHours: Region['operatingHours']
  /** Whether groups cover single hours of days. */
  isHourly: boolean
  now: number
}

/** The facts by group. A key is the joined values of all dimensions; empty without dimensions. */
export class MetricGroups {
  readonly keys: readonly string[]
  readonly #dimensions: readonly MetricDimension[]
  readonly #sums: ReadonlyMap<string, ReportSums>
  readonly #days: ReadonlyMap<string, ReportDaySums[]>
  readonly #largestHours: ReadonlyMap<string, number>
  readonly #fleet: ReadonlyMap<string, ReportFleet>
  readonly #parking: ReadonlyMap<string, ParkingSums>
  /** Operating time (ms), and the elapsed time of each day (ms), by the keys of the dimensions of time. */
  readonly #operatingMs = new Map<string, number>()
  readonly #elapsedByDay = new Map<string, Map<LocalDay, number>>()
  readonly #isHourly: boolean

  constructor(
    dimensions: readonly MetricDimension[],
    { sums, daySums, largestHours, fleet, parking }: FactRows,
    { hours, timezone, operatingHours, isHourly, now }: GroupTimes,
  ) {
    const indexByKey = <Row extends { keys: string[] }>(rows: readonly Row[]): Map<string, Row> =>
      new Map(rows.map((row) => [joinKeys(row.keys), row]))
    this.#dimensions = dimensions
    this.#sums = indexByKey(sums)
    this.#days = groupBy(daySums, (row) => joinKeys(row.keys))
    this.#largestHours = new Map(largestHours.map(({ keys, value }) => [joinKeys(keys), Number(value)]))
    this.#fleet = indexByKey(fleet)
    this.#parking = indexByKey(parking)
    this.keys = [
      ...new Set([...this.#sums.keys(), ...this.#fleet.keys(), ...this.#parking.keys()]),
    ].toSorted()
    this.#isHourly = isHourly
    const toKey = makeTimeKey(dimensions)
    for (const hour of hours) {
      const key = toKey(hour)
      let elapsedOfDay = this.#elapsedByDay.get(key)
      if (!elapsedOfDay) this.#elapsedByDay.set(key, (elapsedOfDay = new Map()))
      // Operating hours are needed for full days only. All hours of a day have the same key then, so each day
      // is added once.
      if (!isHourly && !elapsedOfDay.has(hour.day))
        this.#operatingMs.set(
          key,
          (this.#operatingMs.get(key) ?? 0) + getOperatingMs(hour.day, timezone, operatingHours, now),
        )
      elapsedOfDay.set(hour.day, (elapsedOfDay.get(hour.day) ?? 0) + hour.ms)
    }
  }

  /** Returns the facts of the group with a key. */
  getFacts(key: string): GroupFacts {
    const time = joinKeys(
      key.split('\t').filter((_, index) => {
        const dimension = this.#dimensions[index]
        return dimension && isTimeDimension(dimension)
      }),
    )
    const elapsedOfDay = this.#elapsedByDay.get(time) ?? new Map<LocalDay, number>()
    return {
      sums: this.#sums.get(key),
      days: this.#days.get(key) ?? [],
      largestHour: this.#largestHours.get(key) ?? null,
      fleet: this.#fleet.get(key),
      parking: this.#parking.get(key),
      elapsedMs: [...elapsedOfDay.values()].reduce((sum, ms) => sum + ms, 0),
      operatingMs: this.#operatingMs.get(time) ?? 0,
      elapsedOfDay,
      isHourly: this.#isHourly,
    }
  }
}

/** Returns the operating time of a day that has passed, ms. */
function getOperatingMs(
  day: LocalDay,
  timezone: string,
  { from: operatingFrom, until: operatingUntil }: Region['operatingHours'],
  now: number,
): number {
  const from = startOfDay(day, timezone)
  const until = Math.min(endOfDay(day, timezone), now)
  return listOperatingPeriods({ from, until, timezone, operatingFrom, operatingUntil }).reduce(
    (sum, [opens, closes]) => sum + closes - opens,
    0,
  )
}

/**
 * Returns rows for every group at every time of the selection. If no feed of the group has data for a time,
 * the values are null.
 * @param joinedKeys Keys of groups with facts.
 */
export function completeRows(
  joinedKeys: readonly string[],
  {
    dimensions,
    hours,
    feeds,
  }: { dimensions: readonly MetricDimension[]; hours: readonly SelectedHour[]; feeds: FeedCoverage },
  computeValues: (key: string) => (number | null)[],
): MetricsResponse['period']['rows'] {
  if (!dimensions.length) return joinedKeys.length ? [{ keys: [], values: computeValues('') }] : []
  const groupKeys = joinedKeys.map((key) => key.split('\t'))
  if (!dimensions.some(isTimeDimension))
    return groupKeys.map((keys) => ({ keys, values: computeValues(joinKeys(keys)) }))
  const operatorIndex = dimensions.indexOf('operator')
  const hoursByTime = groupBy(hours, makeTimeKey(dimensions))
  /** Groups without their dimensions of time. */
  const fleets = new Map(
    groupKeys.map((keys) => {
      const fleetKeys = keys.filter((_, index) => !isTimeDimension(dimensions[index]!))
      return [
        joinKeys(fleetKeys),
        { fleetKeys, operator: operatorIndex < 0 ? undefined : keys[operatorIndex] },
      ]
    }),
  )
  const isKnownByKey = new Map<string, boolean>()
  const isKnown = (time: string, operator: string | undefined): boolean => {
    const key = `${time}\n${operator ?? ''}`
    let isTimeKnown = isKnownByKey.get(key)
    if (isTimeKnown === undefined) {
      isTimeKnown = (hoursByTime.get(time) ?? []).some((hour) => feeds.isKnown(hour, operator))
      isKnownByKey.set(key, isTimeKnown)
    }
    return isTimeKnown
  }
  return [...hoursByTime.keys()].flatMap((time) =>
    [...fleets.values()].map(({ fleetKeys, operator }) => {
      // Merges the keys in the order of the dimensions.
      const timeKeys = time.split('\t')
      const otherKeys = [...fleetKeys]
      const keys = dimensions.map(
        (dimension) => (isTimeDimension(dimension) ? timeKeys : otherKeys).shift() ?? '',
      )
      const values = computeValues(joinKeys(keys))
      return { keys, values: isKnown(time, operator) ? values : values.map(() => null) }
    }),
  )
}
