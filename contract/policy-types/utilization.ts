import type { PolicyType } from './policy-type.ts'

/** Average number of trips per vehicle and day that an operator must or may have. */
export const utilization: PolicyType = {
  name: 'utilization',
  group: 'trip',
  countsBased: true,
  timeframeUnit: 'days',
  isFee: false,
  place: 'region',
  units: [],
  offeredFields: () => ['minimum', 'maximum'],
  requiredFields: () => ({}),
  initialFields: () => ({}),
  measure: () => ({ kind: 'trips_per_vehicle' }),
  // MDS 2.0 rules have no measure for a mean over a fleet (MDS issue 620), so it is published as text.
  mdsRules: ({ minimum, maximum }) => {
    const range = [
      minimum === null ? '' : `at least ${minimum}`,
      maximum === null ? '' : `at most ${maximum}`,
    ]
      .filter(Boolean)
      .join(' and ')
    return [
      {
        name: `${range ? `${range} trips` : 'Trips'} per vehicle and day on average (a mean of a fleet is no MDS rule)`,
        rule_type: 'user',
        states: {},
      },
    ]
  },
}
