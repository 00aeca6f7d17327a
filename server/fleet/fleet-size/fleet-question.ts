import type { VehicleState } from '#contract/vehicle-states.ts'
import type { Sql } from '#server/stores/sql.ts'

/** The four methods to compute a fleet size (docs/metrics.md, Fleet size). */
export const fleetMethods = ['avg', 'max', 'sae_max', 'daytime_avg'] as const
export type FleetMethod = (typeof fleetMethods)[number]

/** Counts up when a method changes its numbers. */
export const fleetMethodVersion = 1

/** How many vehicles stood in some states over some time. */
export interface FleetQuestion {
  regionId: string
  /** Ms since 1970, half open. */
  from: number
  until: number
  timezone: string
  /** HH:MM of the region's operating hours: of daytime_avg. */
  operatingFrom: string
  operatingUntil: string
  lostAfterHours: number
  /** Deployed ones, if absent. */
  states?: readonly VehicleState[]
  /** A condition on the columns of vehicle_intervals: operators, types, places. */
  where?: Sql
  /** The groups that are returned as groups. */
  by: readonly ('operator' | 'vehicle_type')[]
}

/** One group's size. Vehicles, with fractions but for `max`. */
export interface FleetSize {
  operator?: string
  vehicle_type?: string
  value: number
}
