import type { PolicyType } from './policy-type.ts'

/** Minimum or maximum of the average trips per vehicle and day of an operator. */
export const utilization: PolicyType = {
  name: 'utilization',
  group: 'trip',
  hasCountLimits: true,
  isFee: false,
  place: 'region',
  offeredFields: () => ['minimum', 'maximum'],
  measure: () => ({ kind: 'trips_per_vehicle' }),
  // MDS 2.0 has no rule for a mean over a fleet (MDS issue 620), so it is published as text.
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
