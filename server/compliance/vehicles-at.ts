import { wasLostBetween } from '#server/regions/lost-vehicles.ts'
import { type VehicleState, vehicleStates } from '#contract/vehicle-states.ts'
import { measureDistance } from '#server/geography/geometry/distance.ts'
import type { Rule } from './rule.ts'
import type { Step, VehicleTrack } from './vehicle-track.ts'

/** A vehicle at one moment, by its last report. */
export interface VehicleAtMoment {
  track: VehicleTrack
  lastIndex: number
  /** The last report. */
  step: Step
}

/** Whether a rule counts a state that was reached by any of these events (docs/metrics.md, decision 6). */
export function countsState(
  { states }: Pick<Rule, 'states'>,
  { state, types }: Pick<Step, 'state' | 'types'>,
): boolean {
  if (states === null) return vehicleStates[state].deployed
  const events = states.get(state)
  return events !== undefined && (events.length === 0 || events.some((event) => types.includes(event)))
}

/** Whether a rule applies to a vehicle by its type, propulsion and accessibility. */
export function appliesToVehicle(
  {
    vehicleTypes,
    propulsionTypes,
    accessibilityOptions,
  }: Pick<Rule, 'vehicleTypes' | 'propulsionTypes' | 'accessibilityOptions'>,
  {
    vehicleType,
    propulsionTypes: drives,
    accessibility,
  }: Pick<VehicleTrack, 'vehicleType' | 'propulsionTypes' | 'accessibility'>,
): boolean {
  if (vehicleTypes && !vehicleTypes.has(vehicleType)) return false
  if (propulsionTypes && !drives.some((type) => propulsionTypes.has(type))) return false
  return !accessibilityOptions || accessibility.some((option) => accessibilityOptions.has(option))
}

/**
 * Returns the silence after which a vehicle is lost for a rule, ms. Parked vehicles report rarely, so a time
 * limit longer than `lostMs` could never be exceeded. For such a rule vehicles are never lost.
 */
export const getLostAfterMs = ({ kind, bounds }: Pick<Rule, 'kind' | 'bounds'>, lostMs: number): number =>
  kind === 'time' && bounds.maximum >= lostMs && bounds.maximum < Infinity ? Infinity : lostMs

/** Returns all vehicles with a report up to `now` (epoch ms), each in its last state. */
export function findVehiclesAt(tracks: readonly VehicleTrack[], now: number): VehicleAtMoment[] {
  return tracks.flatMap((track) => {
    const lastIndex = track.steps.findLastIndex(({ at }) => at <= now)
    const step = track.steps[lastIndex]
    return step ? [{ track, lastIndex, step }] : []
  })
}

/** Whether a vehicle is in the right of way. */
export const isDeployed = (state: VehicleState): boolean => vehicleStates[state].deployed

/** Limits beyond which a vehicle's dwell time restarts. */
export interface DwellLimits {
  /** Distance beyond which a vehicle counts as moved. */
  movedMeters: number
  /** Silence after which a vehicle is lost. */
  lostMs: number
}

/**
 * Finds the report with which a vehicle began to qualify for a rule. Its dwell time continues through the
 * states that the rule counts, and restarts when it moves, leaves these states, or was lost (docs/metrics.md,
 * decision 4).
 */
export function findArrival(
  rule: Pick<Rule, 'states'>,
  { track, lastIndex, step }: VehicleAtMoment,
  { movedMeters, lostMs }: DwellLimits,
): Step {
  let arrival = step
  for (let index = lastIndex - 1; index >= 0; index -= 1) {
    const previous = track.steps[index]
    if (
      !previous ||
      !countsState(rule, previous) ||
      measureDistance(previous, arrival) > movedMeters ||
      wasLostBetween(previous.at, arrival.at, lostMs)
    )
      break
    arrival = previous
  }
  return arrival
}

/** Returns the time (epoch ms) since when a vehicle qualifies for a rule. */
export const findDwellStart = (
  rule: Pick<Rule, 'states'>,
  vehicle: VehicleAtMoment,
  limits: DwellLimits,
): number => findArrival(rule, vehicle, limits).at
