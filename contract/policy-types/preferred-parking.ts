import type { PolicyType } from './policy-type.ts'
import { parkedStates } from './mds-states.ts'

/** Percentage of an operator's parking events that should start in the shapes, as a minimum. */
export const preferredParking: PolicyType = {
  name: 'preferred_parking',
  group: 'parking',
  hasCountLimits: false,
  timeWindowUnit: 'minutes',
  isFee: false,
  place: 'shapes',
  offeredFields: () => ['minimum', 'start_time', 'end_time', 'days', 'messages'],
  faults: ({ minimum }) => (minimum !== null && minimum > 100 ? { minimum: 'percent' } : {}),
  measure: () => ({ kind: 'parked_share' }),
  // MDS 2.0 has no rule for a share of events (MDS issue 618), so the shapes are published as information for
  // riders.
  mdsRules: ({ minimum }) => [
    {
      name:
        minimum === null
          ? 'Preferred parking'
          : `Preferred parking: at least ${minimum} % of the operator's parking (a share is no MDS rule)`,
      rule_type: 'user',
      states: parkedStates,
    },
  ],
}
