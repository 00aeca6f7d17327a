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
  lengthM: number
}

const minuteMs = 60_000

/** Whether a situation matches the filter. A limit of stay or price matches parking and loading only. */
export function passes({ state, max_stay, first_hour }: CurbMapSituation, filter: CurbFilter): boolean {
  if (filter.states && !filter.states.includes(state)) return false
  const needsStay = filter.stay !== undefined || filter.price !== undefined
  if (!needsStay) return true
  if (!stayStates.has(state)) return false
  return (
    (filter.stay === undefined || max_stay === null || max_stay >= filter.stay) &&
    (filter.price === undefined || (first_hour ?? 0) <= filter.price)
  )
}
const stayStates: ReadonlySet<CurbState> = new Set([
  'loading',
  'paid_parking',
  'time_limited',
  'free_parking',
])

/** Returns the situation of each rule set at an instant of the week. */
export function situationsAt(week: CurbMapWeek, at: number): Map<string, CurbMapSituation> {
  const minute = (at - week.from) / minuteMs
  const situations = new Map<string, CurbMapSituation>()
  for (const { rule_set: id, steps } of week.sets) {
    const step = steps.findLast(([from]) => from <= minute) ?? steps[0]
    const situation = step && week.situations[step[1]]
    if (situation) situations.set(id, situation)
  }
  return situations
}

/** Returns the bin of each rule set on the map: the index of its state; undefined if the filter excludes it. */
export function binsAt(
  situations: ReadonlyMap<string, CurbMapSituation>,
  filter: CurbFilter,
): Map<string, number | 'none'> {
  return new Map(
    [...situations].map(([id, situation]) => [
      id,
      passes(situation, filter) ? curbStates.indexOf(situation.state) : 'none',
    ]),
  )
}

/** Number of zones and meters of each state at an instant, in the order of the states. */
export function lengthsAt(
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
