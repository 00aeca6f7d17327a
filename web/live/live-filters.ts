import { type LiveState, liveStateNames } from '#contract/vehicles.ts'
import type { VehicleType } from '#contract/mobility.ts'
import { type VehicleState, vehicleStates } from '#contract/vehicle-states.ts'

export interface LiveFilters {
  /** Slugs; null for all. */
  operators: readonly string[] | null
  /** Null for all. */
  vehicleTypes: readonly VehicleType[] | null
  states: readonly LiveState[]
  /** Upper limit of the battery charge in percent; null for any, including unknown. */
  batteryBelow: number | null
  /** Maximum time since the last contact in minutes; null for any. */
  maxSeenMinutes: number | null
  /** Minimum parking duration in minutes; null for any, which includes vehicles on a trip. */
  minParkedMinutes: number | null
}

/** Groups of states (docs/metrics.md, Vehicle states), and states outside of groups. */
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

/** States in the public right of way with recent contact: the default filter. */
export const defaultStates: readonly LiveState[] = liveStateNames.filter(isDeployed)
