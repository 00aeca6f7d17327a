import type { PolicyType } from './policy-type.ts'
import { stationaryStates } from './mds-states.ts'

const isShare = (allocation: string | null): boolean =>
  allocation === 'percent_vehicles_per_operator_per_shape'
const range = (minimum: number | null, maximum: number | null): string =>
  [minimum === null ? '' : `at least ${minimum} %`, maximum === null ? '' : `at most ${maximum} %`]
    .filter(Boolean)
    .join(' and ')

/** How many vehicles, or what share of its own, an operator may or must have in each shape. */
export const distribution: PolicyType = {
  name: 'distribution',
  group: 'vehicle',
  countsBased: true,
  timeframeUnit: 'hours',
  isFee: false,
  place: 'shapes',
  units: [],
  offeredFields: () => [
    'allocation',
    'minimum',
    'maximum',
    'vehicle_states',
    'start_time',
    'end_time',
    'days',
  ],
  requiredFields: () => ({ allocation: 'required' }),
  initialFields: () => ({}),
  faults: ({ allocation, minimum, maximum }) => {
    const over = (value: number | null) => isShare(allocation) && value !== null && value > 100
    return {
      ...(over(minimum) ? { minimum: 'percent' } : {}),
      ...(over(maximum) ? { maximum: 'percent' } : {}),
    }
  },
  measure: ({ allocation }) => ({ kind: 'fleet_in_shape', share: isShare(allocation) }),
  // A count rule over several geographies counts their union: each shape has one of its own. MDS counts devices, not shares of a fleet (its issue 618): a share is told as text.
  mdsRules: ({ allocation, minimum, maximum, vehicle_states: states }, { geographies }) =>
    geographies.map(({ geography_id: id, name }) =>
      isShare(allocation)
        ? {
            name: `${name}: ${range(minimum, maximum)} of the operator's vehicles (a share of a fleet is no MDS rule)`,
            rule_type: 'user',
            states: stationaryStates(states),
            geographies: [id],
          }
        : {
            name,
            rule_type: 'count',
            rule_units: 'devices',
            states: stationaryStates(states),
            geographies: [id],
            minimum,
            maximum,
          },
    ),
}
