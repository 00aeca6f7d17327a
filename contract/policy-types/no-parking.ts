import type { PolicyType } from './policy-type.ts'
import { parkedStates } from './mds-states.ts'

/** Prohibits parking in the shapes. */
export const noParking: PolicyType = {
  name: 'no_parking',
  group: 'parking',
  hasCountLimits: false,
  timeWindowUnit: 'hours',
  isFee: false,
  place: 'shapes_or_citywide',
  offeredFields: () => ['start_time', 'end_time', 'days', 'messages'],
  // `parked` counts parking events that begin in the shapes, not vehicles.
  measure: () => ({ kind: 'parked' }),
  mdsRules: ({ policy_name: name }) => [
    { name, rule_type: 'count', rule_units: 'devices', states: parkedStates, maximum: 0 },
  ],
}
