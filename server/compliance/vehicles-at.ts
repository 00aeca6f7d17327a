import { wasLostBetween } from '#server/regions/lost-vehicles.ts'
import { type VehicleState, vehicleStates } from '#contract/vehicle-states.ts'
import { metersBetween } from '#server/geography/geometry/distance.ts'
import type { Rule } from './rule.ts'
import type { Step, VehicleTrack } from './vehicle-track.ts'

/** A vehicle at one moment, by its last report. */
export interface VehicleAtMoment {
  track: VehicleTrack
  /** Index of the last report. */
  last: number
  step: Step
}

/** Whether a rule counts a state reached by these events; with several event types, any of them is enough (docs/metrics.md, decision 6). */
export function countsState(
  { states }: Pick<Rule, 'states'>,
  { state, types }: Pick<Step, 'state' | 'types'>,
): boolean {
  if (states === null) return vehicleStates[state].deployed
  const events = states.get(state)
  return events !== undefined && (events.length === 0 || events.some((event) => types.includes(event)))
}

/** Whether a rule applies to vehicles of this kind. */
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
  if (propulsionTypes && !drives.some((each) => propulsionTypes.has(each))) return false
  return !accessibilityOptions || accessibility.some((each) => accessibilityOptions.has(each))
}

/** Ms of silence after which a vehicle is lost to a rule. Parked vehicles report little: a time limit longer than `lostMs` could never be exceeded, so for it vehicles are never lost. */
export const lostAfterMs = ({ kind, bounds }: Pick<Rule, 'kind' | 'bounds'>, lostMs: number): number =>
  kind === 'time' && bounds.maximum >= lostMs && bounds.maximum < Infinity ? Infinity : lostMs

/** Every vehicle with a report by `at` (epoch ms), in its last state. */
export function vehiclesAt(tracks: readonly VehicleTrack[], at: number): VehicleAtMoment[] {
  return tracks.flatMap((track) => {
    let last = track.steps.length - 1
    while (last >= 0 && (track.steps[last]?.at ?? Infinity) > at) last -= 1
    const step = track.steps[last]
    return step ? [{ track, last, step }] : []
  })
}

/** Whether a vehicle is in the right of way. */
export const isDeployed = (state: VehicleState): boolean => vehicleStates[state].deployed

export interface DwellLimits {
  /** Meters from its place beyond which a vehicle has moved. */
  movedMeters: number
  /** Ms of silence after which a vehicle is lost. */
  lostMs: number
}

/**
 * The report with which a vehicle began to qualify for a rule: its clock continues from state to state of the rule, and restarts when it
 * moves, leaves those states, or was lost in between (docs/metrics.md, decision 4).
 */
export function arrivalOf(
  rule: Pick<Rule, 'states'>,
  { track, last, step }: VehicleAtMoment,
  { movedMeters, lostMs }: DwellLimits,
): Step {
  let first = step
  for (let index = last - 1; index >= 0; index -= 1) {
    const before = track.steps[index]
    if (
      !before ||
      !countsState(rule, before) ||
      metersBetween(before, first) > movedMeters ||
      wasLostBetween(before.at, first.at, lostMs)
    )
      break
    first = before
  }
  return first
}

/** Since when (epoch ms) a vehicle qualifies for a rule. */
export const dwellStart = (
  rule: Pick<Rule, 'states'>,
  vehicle: VehicleAtMoment,
  limits: DwellLimits,
): number => arrivalOf(rule, vehicle, limits).at
