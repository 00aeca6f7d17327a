import { vehicleTypeTexts, type VehicleType } from '#contract/mobility.ts'
import type { LiveState } from '#contract/vehicles.ts'
import { flag, keyOf, listOf, slugsOf, viewOf } from '#web/evaluation/search-values.ts'
import { type Coloring, colorings } from './color-by.ts'
import { type LiveFilters, usualStates } from './live-filters.ts'

/** Minutes within which a vehicle can be asked to have been seen. */
export const seenChoices = [5, 60, 1440] as const
/** Percent under which the battery can be asked to be. */
export const batteryChoices = [10, 25, 50] as const

/** The live map's state in the address bar. What has its default value is absent. */
export interface LiveSearch {
  /** Absent: all; empty: none. */
  operators?: string[] | undefined
  vehicleType?: VehicleType | undefined
  /** Absent: those in the public right of way. */
  states?: LiveState[] | undefined
  /** Percent. */
  battery?: number | undefined
  /** Minutes. */
  seen?: number | undefined
  color?: Coloring | undefined
  /** `operator:number` of the selected vehicle. */
  vehicle?: string | undefined
  results?: true | undefined
  /** Longitude, latitude, zoom. */
  view?: [lon: number, lat: number, zoom: number] | undefined
}

const liveStates: Record<LiveState, true> = {
  available: true,
  non_operational: true,
  reserved: true,
  on_trip: true,
  stopped: true,
  non_contactable: true,
  removed: true,
  elsewhere: true,
  missing: true,
  lost: true,
}
const vehicleId = /^[a-z0-9][a-z0-9_-]{0,59}:.{1,200}$/

/** Reads the address bar's state; never fails: what makes no sense is as if absent. */
export function liveSearch(search: Record<string, unknown>): LiveSearch {
  // A list that is empty is none of them; only one that is absent is all.
  const states = asked(search['states'])
    ? listOf(search['states']).flatMap((each) => keyOf(liveStates, each) ?? [])
    : undefined
  const found: LiveSearch = {
    operators: asked(search['operators']) ? slugsOf(search['operators']) : undefined,
    vehicleType: keyOf(vehicleTypeTexts, search['vehicleType']),
    states: states && !isUsual(states) ? [...new Set(states)].toSorted() : undefined,
    battery: within(search['battery'], 1, 100),
    seen: within(search['seen'], 1, 20_160),
    color: colorings.find((each) => each === search['color'] && each !== 'operator'),
    vehicle:
      typeof search['vehicle'] === 'string' && vehicleId.test(search['vehicle'])
        ? search['vehicle']
        : undefined,
    results: flag(search['results']),
    view: viewOf(search['view']),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

/** What the address bar says as filters. */
export const filtersOf = ({ operators, vehicleType, states, battery, seen }: LiveSearch): LiveFilters => ({
  operators: operators ?? null,
  vehicleType: vehicleType ?? null,
  states: states ?? usualStates,
  batteryBelow: battery ?? null,
  seenWithin: seen ?? null,
})

/** Whether the address bar filters at all. */
export const anyFilter = ({ operators, vehicleType, states, battery, seen }: LiveSearch): boolean =>
  [operators, vehicleType, states, battery, seen].some((each) => each !== undefined)

const isUsual = (states: readonly LiveState[]): boolean =>
  new Set(states).size === usualStates.length && usualStates.every((each) => states.includes(each))
const asked = (value: unknown): boolean => value !== undefined && value !== null

function within(value: unknown, least: number, most: number): number | undefined {
  const whole = typeof value === 'number' ? Math.round(value) : Number.NaN
  return whole >= least && whole <= most ? whole : undefined
}
