import type { VehicleState } from '#contract/vehicle-states.ts'

type Row = Record<string, unknown>

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** States of MDS 0.4 and 1.2 that 2.0 names otherwise; what was unknown may be out of contact or missing, and stood in the street last. */
const laterStates: Record<string, VehicleState> = {
  unavailable: 'non_operational',
  trip: 'on_trip',
  inactive: 'removed',
  unknown: 'non_contactable',
}
const laterState = (state: unknown): unknown =>
  typeof state === 'string' && Object.hasOwn(laterStates, state) ? laterStates[state] : state

/** 0.4, and some official examples of 1.2, say statuses: passed over, a rule of some states would be one of all. */
function laterRule(rule: unknown): unknown {
  if (!isRow(rule)) return rule
  const { statuses, ...rest } = rule
  const states = rest['states'] ?? statuses
  return {
    ...rest,
    states: isRow(states)
      ? Object.fromEntries(Object.entries(states).map(([state, events]) => [laterState(state), events]))
      : states,
  }
}

/** A policy of MDS 0.4 or 1.2 with its states as 2.0 names them; one of 2.0 is as it was, and so is what is no policy. */
export const laterPolicy = (policy: unknown): unknown =>
  isRow(policy) && Array.isArray(policy['rules'])
    ? { ...policy, rules: policy['rules'].map(laterRule) }
    : policy

/** A place of GeoJSON, as Provider of 1.2 has it, as a location of 2.0. */
function laterPlace(place: unknown): unknown {
  if (!isRow(place)) return place
  const { coordinates } = isRow(place['geometry']) ? place['geometry'] : place
  if (!Array.isArray(coordinates)) return place
  const [lng, lat] = coordinates as unknown[]
  return { lng, lat }
}

/** An event of MDS 1.2, whose place is in its telemetry or is GeoJSON, in the words of 2.0; one of 2.0 is as it was. */
export function laterEvent(event: unknown): unknown {
  if (!isRow(event)) return event
  const { telemetry } = event
  const place =
    event['location'] ??
    (isRow(telemetry) ? (telemetry['location'] ?? telemetry['gps']) : event['event_location'])
  return { ...event, vehicle_state: laterState(event['vehicle_state']), location: laterPlace(place) }
}
