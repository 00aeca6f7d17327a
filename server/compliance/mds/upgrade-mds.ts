import type { VehicleState } from '#contract/vehicle-states.ts'

type MdsRecord = Record<string, unknown>

const isRecord = (value: unknown): value is MdsRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * States of MDS 0.4 and 1.2 that 2.0 names differently. An `unknown` vehicle may be out of contact or
 * missing; it counts as out of contact, because it was last seen in the street.
 */
const upgradedStates: Record<string, VehicleState> = {
  unavailable: 'non_operational',
  trip: 'on_trip',
  inactive: 'removed',
  unknown: 'non_contactable',
}
const upgradeState = (state: unknown): unknown =>
  typeof state === 'string' && Object.hasOwn(upgradedStates, state) ? upgradedStates[state] : state

/** Renames `statuses`, as 0.4 and some examples of 1.2 call `states`. Else a rule would apply to all. */
function upgradeRule(rule: unknown): unknown {
  if (!isRecord(rule)) return rule
  const { statuses, ...others } = rule
  const states = others['states'] ?? statuses
  return {
    ...others,
    states: isRecord(states)
      ? Object.fromEntries(Object.entries(states).map(([state, events]) => [upgradeState(state), events]))
      : states,
  }
}

/** Converts the states of a policy of MDS 0.4 or 1.2 to 2.0. Everything else is returned unchanged. */
export const upgradePolicyStates = (policy: unknown): unknown =>
  isRecord(policy) && Array.isArray(policy['rules'])
    ? { ...policy, rules: policy['rules'].map(upgradeRule) }
    : policy

/** Converts a GeoJSON place, as in Provider 1.2, to a location of 2.0. */
function upgradePlace(place: unknown): unknown {
  if (!isRecord(place)) return place
  const { coordinates } = isRecord(place['geometry']) ? place['geometry'] : place
  if (!Array.isArray(coordinates)) return place
  const [lng, lat] = coordinates as unknown[]
  return { lng, lat }
}

/** Converts an event of MDS 1.2 to 2.0; its place may be GeoJSON. Events of 2.0 do not change. */
export function upgradeEvent(event: unknown): unknown {
  if (!isRecord(event)) return event
  const { telemetry } = event
  const place =
    event['location'] ??
    (isRecord(telemetry) ? (telemetry['location'] ?? telemetry['gps']) : event['event_location'])
  return { ...event, vehicle_state: upgradeState(event['vehicle_state']), location: upgradePlace(place) }
}
