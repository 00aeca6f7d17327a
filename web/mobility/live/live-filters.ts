import { type LiveState, liveStateNames } from '#contract/vehicles.ts'
import type { VehicleType } from '#contract/mobility.ts'
import { type VehicleState, vehicleStates } from '#contract/vehicle-states.ts'

/** Which vehicles are shown. */
export interface LiveFilters {
  /** Slugs; null: all. */
  operators: readonly string[] | null
  /** Null: all. */
  vehicleTypes: readonly VehicleType[] | null
  states: readonly LiveState[]
  /** Percent; null: any, also those of which it is not known. */
  batteryBelow: number | null
  /** Minutes; null: any time. */
  seenWithin: number | null
}

/** Groups of states (metrics.md, Vehicle states), and what is in none of them. */
export const stateGroups = {
  operational: ['available', 'reserved', 'on_trip'],
  non_operational: ['non_operational'],
  other: ['stopped', 'non_contactable'],
  away: ['removed', 'elsewhere', 'missing', 'lost'],
} as const satisfies Record<string, readonly LiveState[]>
export type StateGroup = keyof typeof stateGroups
export const stateGroupNames = Object.keys(stateGroups) as StateGroup[]

const isDeployed = (state: LiveState): boolean =>
  state !== 'lost' && vehicleStates[state satisfies VehicleState].deployed

/** Those in the public right of way, heard of lately: what is shown unless something else is asked for. */
export const usualStates: readonly LiveState[] = liveStateNames.filter(isDeployed)
