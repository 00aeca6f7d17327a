import type { PolicyType } from './policy-type.ts'
import { parkedStates } from './mds-states.ts'

/** What share of an operator's parking events should begin in the shapes. Its minimum is a percentage, no count. */
export const preferredParking: PolicyType = {
  name: 'preferred_parking',
  group: 'parking',
  countsBased: false,
  timeframeUnit: 'minutes',
  isFee: false,
  place: 'shapes',
  units: [],
  offeredFields: () => ['minimum', 'start_time', 'end_time', 'days', 'messages'],
  requiredFields: () => ({}),
  initialFields: () => ({}),
  faults: ({ minimum }) => (minimum !== null && minimum > 100 ? { minimum: 'percent' } : {}),
  measure: () => ({ kind: 'parked_share' }),
  // A share of events is none of the measures of MDS 2.0 rules (its issue 618); a place to park is information for riders.
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
