import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import { vehicleStateNames } from '#contract/vehicle-states.ts'
import {
  isLegalTransition,
  legalTransitions,
  type StateMachine,
} from '#server/mobility/fleet/state-machine.ts'

const machineOf = (name: string): StateMachine =>
  Object.hasOwn(legalTransitions, name) ? (name as StateMachine) : 'micromobility'

/** Whether events applied in order can lead from a state to another; the states between are nobody's business. Where no event is told, only nothing may change. */
export function isLegalWay(machine: string, from: string, types: readonly string[], to: string): boolean {
  let reached: VehicleState[] = [from as VehicleState]
  if (types.length === 0) return from === to
  for (const [at, type] of types.entries()) {
    const next = at === types.length - 1 ? [to as VehicleState] : vehicleStateNames
    reached = next.filter((state) =>
      reached.some((before) => isLegalTransition(machineOf(machine), before, type as EventType, state)),
    )
  }
  return reached.length > 0
}
