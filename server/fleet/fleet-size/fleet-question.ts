import type { VehicleState } from '#contract/vehicle-states.ts'
import type { Sql } from '#server/stores/sql.ts'

/**
 * The methods to compute a fleet size (docs/metrics.md, Fleet size): `avg` and `daytime_avg` are averages,
 * `max` the largest number at any minute, `sae_max` the largest hourly average.
 */
export const fleetMethods = ['avg', 'max', 'sae_max', 'daytime_avg'] as const
export type FleetMethod = (typeof fleetMethods)[number]

/** Increased when a method changes its results. */
export const fleetMethodVersion = 1

/** Asks for the number of vehicles in some states over a time range. */
export interface FleetQuestion {
  regionId: string
  /** The time range, ms since 1970, half open. */
  from: number
  until: number
  timezone: string
  /** Operating hours of the region (HH:MM), for daytime_avg. */
  operatingFrom: string
  operatingUntil: string
  lostAfterHours: number
  /** By default the states of deployed vehicles. */
  states?: readonly VehicleState[]
  /** A condition on columns of vehicle_intervals, such as operators, types or places. */
  where?: Sql
  /** Columns to group by. */
  by: readonly ('operator' | 'vehicle_type')[]
}

/** The size of one group, in vehicles. Averages are fractional. */
export interface FleetSize {
  operator?: string
  vehicle_type?: string
  value: number
}
