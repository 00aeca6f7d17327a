import type { CurbMapSituation, CurbMapWeek } from '#contract/curb-map.ts'
import { type CurbState, curbStates } from '#contract/curb-rules.ts'

/** The filter of the map. */
export interface CurbFilter {
  states?: readonly CurbState[] | undefined
  /** Minutes. */
  stay?: number | undefined
  /** Minor units, for the first hour. */
  price?: number | undefined
}

export interface StateLength {
  state: CurbState
  zones: number
  /** Length of the zones, in meters. */
  lengthM: number
}

const minuteMs = 60_000

/** Tests whether a situation matches the filter. A limit of stay or price matches parking and loading only. */
export function matches({ state, max_stay, first_hour }: CurbMapSituation, filter: CurbFilter): boolean {
  if (filter.states && !filter.states.includes(state)) return false
  const limitsStays = filter.stay !== undefined || filter.price !== undefined
  if (!limitsStays) return true
  if (!stayStates.has(state)) return false
  return (
    (filter.stay === undefined || max_stay === null || max_stay >= filter.stay) &&
    (filter.price === undefined || (first_hour ?? 0) <= filter.price)
  )
}
const stayStates = new Set<CurbState>(['loading', 'paid_parking', 'time_limited', 'free_parking'])

/** Returns the situation of each rule set at an instant (ms) of the week. */
export function getSituations(week: CurbMapWeek, at: number): Map<string, CurbMapSituation> {
  const minute = (at - week.from) / minuteMs
  const situations = new Map<string, CurbMapSituation>()
  for (const { rule_set: id, steps } of week.sets) {
    // Steps are pairs: minute of the week, and index of the situation from then on.
    const step = steps.findLast(([from]) => from <= minute) ?? steps[0]
    const situation = step && week.situations[step[1]]
    if (situation) situations.set(id, situation)
  }
  return situations
}

/** Returns the bin of each rule set: the index of its state, or `none` if the filter excludes it. */
export function getBins(
  situations: ReadonlyMap<string, CurbMapSituation>,
  filter: CurbFilter,
): Map<string, number | 'none'> {
  return new Map(
    [...situations].map(([id, situation]) => [
      id,
      matches(situation, filter) ? curbStates.indexOf(situation.state) : 'none',
    ]),
  )
}

/** Sums zones and meters by state, in the order of `curbStates`. */
export function sumLengths(
  week: CurbMapWeek,
  situations: ReadonlyMap<string, CurbMapSituation>,
): StateLength[] {
  const sums = new Map<CurbState, StateLength>()
  for (const { rule_set: id, zones, length_m: meters } of week.sets) {
    const state = situations.get(id)?.state
    if (!state) continue
    const sum = sums.get(state) ?? { state, zones: 0, lengthM: 0 }
    sum.zones += zones
    sum.lengthM += meters
    sums.set(state, sum)
  }
  return curbStates.flatMap((state) => sums.get(state) ?? [])
}
