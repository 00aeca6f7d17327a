import type { PolicyType } from './policy-type.ts'
import { parkedStates } from './mds-states.ts'

/**
 * Share of an operator's parking events that should start in the shapes. The minimum is a percentage, not a
 * count.
 */
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
  // MDS 2.0 rules have no measure for a share of events (MDS issue 618), so the place is published as
  // information for riders.
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
