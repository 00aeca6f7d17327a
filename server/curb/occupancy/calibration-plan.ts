import type { CalibrationCell } from '#contract/curb-calibration.ts'
import type { DayType, TimeBand } from '#contract/curb-occupancy.ts'
import type { LocalDay } from '#contract/period.ts'
import { hoursOfDay } from './hour-frame.ts'

/** What of a calibration decides about estimates. */
export interface CalibrationTerms {
  zone_ids: readonly string[] | null
  bands: readonly TimeBand[]
  day_types: readonly DayType[]
  cells: readonly CalibrationCell[]
  valid_from: LocalDay
  valid_until: LocalDay
}

/** No estimate in this hour. */
export const noEstimate = -1

/** Ratios by hour of the day for one weekday; `noEstimate` where there is none. */
export interface DayRatios {
  k: number[]
  low: number[]
  high: number[]
}

/** Days with the same calibrations, for zones with the same calibrations. */
export interface EstimateSpan {
  /** Index in `groups`. */
  group: number
  from: LocalDay
  /** Excluded. */
  until: LocalDay
  /** Monday first. */
  weekdays: DayRatios[]
}

export interface EstimatePlan {
  /** Zones by group; zones that no calibration names are of group 0. */
  groupOf: ReadonlyMap<string, number>
  spans: EstimateSpan[]
}

/** The band that holds the larger part of an hour. */
const bandAt = (bands: readonly TimeBand[], hour: number): TimeBand | undefined => {
  const part = ({ from, until }: TimeBand): number =>
    Math.min(until, hour * 60 + 60) - Math.max(from, hour * 60)
  return bands.find((band) => part(band) >= 30)
}

function ratioAt(
  { bands, day_types, cells }: CalibrationTerms,
  weekday: number,
  hour: number,
): CalibrationCell | undefined {
  const band = bandAt(bands, hour)
  const type = day_types.find(({ weekdays }) => weekdays.includes(weekday))
  return (
    band &&
    type &&
    cells.find((cell) => cell.band === band.key && cell.day_type === type.key && cell.k !== null)
  )
}

/** Which ratio applies where, on which day and in which hour: that of the newest valid calibration. `calibrations`: the newest first. */
export function planEstimates(calibrations: readonly CalibrationTerms[]): EstimatePlan {
  const named = new Set(calibrations.flatMap(({ zone_ids }) => zone_ids ?? []))
  const groupOf = new Map<string, number>()
  const groups = new Map<string, number>([['', 0]])
  const members: (readonly CalibrationTerms[])[] = [calibrations.filter(({ zone_ids }) => zone_ids === null)]
  const sets = calibrations.map(({ zone_ids }) => zone_ids && new Set(zone_ids))
  for (const zone of named) {
    const own = calibrations.filter((_, index) => sets[index]?.has(zone) ?? true)
    const key = own.map((each) => calibrations.indexOf(each)).join(' ')
    let group = groups.get(key)
    if (group === undefined) {
      group = members.push(own) - 1
      groups.set(key, group)
    }
    groupOf.set(zone, group)
  }
  const spans = members.flatMap((own, group) => {
    const days = [
      ...new Set(own.flatMap(({ valid_from, valid_until }) => [valid_from, valid_until])),
    ].toSorted()
    return days.slice(0, -1).map((from, at): EstimateSpan => {
      const valid = own.filter((each) => each.valid_from <= from && from < each.valid_until)
      return {
        group,
        from,
        until: days[at + 1]!,
        weekdays: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ratiosOf(valid, weekday)),
      }
    })
  })
  return { groupOf, spans }
}

function ratiosOf(calibrations: readonly CalibrationTerms[], weekday: number): DayRatios {
  const cells = Array.from({ length: hoursOfDay }, (_, hour) => {
    for (const each of calibrations) {
      const cell = ratioAt(each, weekday, hour)
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
