import type { PolicyType } from './policy-type.ts'

/** How many trips a day each vehicle of an operator must or may have on average. */
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
  // A mean over a fleet is none of the measures of MDS 2.0 rules (its issue 620): it is told as text.
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
