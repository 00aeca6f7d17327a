import { wasLostBetween } from '#server/regions/lost-vehicles.ts'
import { type VehicleState, vehicleStates } from '#contract/vehicle-states.ts'
import { metersBetween } from '#server/geography/distance.ts'
import type { Rule } from './rule.ts'
import type { Step, VehicleTrack } from './vehicle-track.ts'

/** How a vehicle stands at one moment: what it told last. */
export interface Standing {
  track: VehicleTrack
  /** Index of what it told last. */
  last: number
  step: Step
}

/** Whether a rule looks at a state that was come to by these events; several in one event: any of them (metrics.md, decision 6). */
export function looksAt(
  { states }: Pick<Rule, 'states'>,
  { state, types }: Pick<Step, 'state' | 'types'>,
): boolean {
  if (states === null) return vehicleStates[state].deployed
  const events = states.get(state)
  return events !== undefined && (events.length === 0 || events.some((event) => types.includes(event)))
}

/** Whether a rule is about vehicles of this kind. */
export function isMeant(
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

/** A vehicle at rest says little. A time limit that is longer than the silence (ms) after which it is lost could never be broken: for it, the vehicle stands on. */
export const silenceOf = ({ kind, bounds }: Pick<Rule, 'kind' | 'bounds'>, lostMs: number): number =>
  kind === 'time' && bounds.maximum >= lostMs && bounds.maximum < Infinity ? Infinity : lostMs

/** Every vehicle that has told anything until then, as it stands at `at` (epoch ms). */
export function standingAt(tracks: readonly VehicleTrack[], at: number): Standing[] {
  return tracks.flatMap((track) => {
    let last = track.steps.length - 1
    while (last >= 0 && (track.steps[last]?.at ?? Infinity) > at) last -= 1
    const step = track.steps[last]
    return step ? [{ track, last, step }] : []
  })
}

/** Whether a vehicle is in the right of way. */
export const isDeployed = (state: VehicleState): boolean => vehicleStates[state].deployed

export interface Dwelling {
  /** Metres: seen farther from where it stood, a vehicle has moved. */
  movedMetres: number
  /** Ms of silence after which a vehicle is lost. */
  lostMs: number
}

/**
 * With what a vehicle came to stand as the rule looks for: its clock runs on from state to state of the rule, and starts anew when it
 * moves, leaves those states, or was lost in between (metrics.md, decision 4).
 */
export function arrivalOf(
  rule: Pick<Rule, 'states'>,
  { track, last, step }: Standing,
  { movedMetres, lostMs }: Dwelling,
): Step {
  let first = step
  for (let index = last - 1; index >= 0; index -= 1) {
    const before = track.steps[index]
    if (
      !before ||
      !looksAt(rule, before) ||
      metersBetween(before, first) > movedMetres ||
      wasLostBetween(before.at, first.at, lostMs)
    )
      break
    first = before
  }
  return first
}

/** Since when (epoch ms) a vehicle stands as the rule looks for. */
export const dwellsSince = (rule: Pick<Rule, 'states'>, standing: Standing, dwelling: Dwelling): number =>
  arrivalOf(rule, standing, dwelling).at
