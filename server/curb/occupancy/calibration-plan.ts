import type { CalibrationCell } from '#contract/curb-calibration.ts'
import type { DayType, TimeBand } from '#contract/curb-occupancy.ts'
import type { LocalDay } from '#contract/period.ts'
import { hoursOfDay } from './hour-frame.ts'

/** The fields of a calibration that determine estimates. `valid_until` is exclusive. */
export interface CalibrationTerms {
  zone_ids: readonly string[] | null
  bands: readonly TimeBand[]
  day_types: readonly DayType[]
  cells: readonly CalibrationCell[]
  valid_from: LocalDay
  valid_until: LocalDay
}

/** Marks hours without an estimate, because SQL arrays of numbers cannot contain null. */
export const noEstimate = -1

/** Ratios and their intervals by hour of the day for a weekday; `noEstimate` for hours without one. */
export interface DayRatios {
  k: number[]
  low: number[]
  high: number[]
}

/** Successive days on which the same calibrations apply to a group of zones. */
export interface EstimateSpan {
  /** Number of the group of zones. */
  group: number
  from: LocalDay
  /** Exclusive. */
  until: LocalDay
  /** Monday first. */
  weekdays: DayRatios[]
}

/** The ratios that apply to groups of zones on successive days. */
export interface EstimatePlan {
  /** Groups by zone; zones that no calibration names belong to group 0. */
  groupByZone: ReadonlyMap<string, number>
  spans: EstimateSpan[]
}

/** Finds the band that covers at least half of an hour. */
const findBand = (bands: readonly TimeBand[], hour: number): TimeBand | undefined => {
  const countMinutesInHour = ({ from, until }: TimeBand): number =>
    Math.min(until, hour * 60 + 60) - Math.max(from, hour * 60)
  return bands.find((band) => countMinutesInHour(band) >= 30)
}

/** Finds the cell of a calibration with a ratio for an hour of a weekday. */
function findRatio(
  { bands, day_types, cells }: CalibrationTerms,
  weekday: number,
  hour: number,
): CalibrationCell | undefined {
  const band = findBand(bands, hour)
  const type = day_types.find(({ weekdays }) => weekdays.includes(weekday))
  return (
    band &&
    type &&
    cells.find((cell) => cell.band === band.key && cell.day_type === type.key && cell.k !== null)
  )
}

/**
 * Plans which ratio applies to which zones, on which days and in which hours: the one of the newest valid
 * calibration that has a ratio. `calibrations` are sorted from newest to oldest.
 */
export function planEstimates(calibrations: readonly CalibrationTerms[]): EstimatePlan {
  const namedZones = new Set(calibrations.flatMap(({ zone_ids }) => zone_ids ?? []))
  const groupByZone = new Map<string, number>()
  const groupsByKey = new Map<string, number>([['', 0]])
  const calibrationsByGroup: (readonly CalibrationTerms[])[] = [
    calibrations.filter(({ zone_ids }) => zone_ids === null),
  ]
  const zoneSets = calibrations.map(({ zone_ids }) => zone_ids && new Set(zone_ids))
  for (const zone of namedZones) {
    const applicable = calibrations.filter((_, index) => zoneSets[index]?.has(zone) ?? true)
    const key = applicable.map((calibration) => calibrations.indexOf(calibration)).join(' ')
    let group = groupsByKey.get(key)
    if (group === undefined) {
      group = calibrationsByGroup.push(applicable) - 1
      groupsByKey.set(key, group)
    }
    groupByZone.set(zone, group)
  }
  const spans = calibrationsByGroup.flatMap((applicable, group) => {
    const days = [
      ...new Set(applicable.flatMap(({ valid_from, valid_until }) => [valid_from, valid_until])),
    ].toSorted()
    return days.slice(0, -1).map((from, i): EstimateSpan => {
      const valid = applicable.filter(
        ({ valid_from, valid_until }) => valid_from <= from && from < valid_until,
      )
      return {
        group,
        from,
        until: days[i + 1]!,
        weekdays: [1, 2, 3, 4, 5, 6, 7].map((weekday) => getDayRatios(valid, weekday)),
      }
    })
  })
  return { groupByZone, spans }
}

/** Returns, for each hour of a weekday, the ratio of the first calibration that has one. */
function getDayRatios(calibrations: readonly CalibrationTerms[], weekday: number): DayRatios {
  const cells = Array.from({ length: hoursOfDay }, (_, hour) => {
    for (const calibration of calibrations) {
      const cell = findRatio(calibration, weekday, hour)
      if (cell) return cell
    }
    return undefined
  })
  return {
    k: cells.map((cell) => cell?.k ?? noEstimate),
    low: cells.map((cell) => cell?.interval?.[0] ?? cell?.k ?? noEstimate),
    high: cells.map((cell) => cell?.interval?.[1] ?? cell?.k ?? noEstimate),
  }
}
