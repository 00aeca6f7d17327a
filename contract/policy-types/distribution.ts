import type { PolicyType } from './policy-type.ts'
import { stationaryStates } from './mds-states.ts'

const isShare = (allocation: string | null): boolean =>
  allocation === 'percent_vehicles_per_operator_per_shape'
const formatShareRange = (minimum: number | null, maximum: number | null): string =>
  [minimum === null ? '' : `at least ${minimum}%`, maximum === null ? '' : `at most ${maximum}%`]
    .filter(Boolean)
    .join(' and ')

/** Number or percentage of an operator's vehicles that is required or allowed in each shape. */
export const distribution: PolicyType = {
  name: 'distribution',
  group: 'vehicle',
  hasCountLimits: true,
  timeWindowUnit: 'hours',
  isFee: false,
  place: 'shapes',
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
  faults: ({ allocation, minimum, maximum }) => {
    const isOver100Percent = (value: number | null) => isShare(allocation) && value !== null && value > 100
    return {
      ...(isOver100Percent(minimum) ? { minimum: 'percent' } : {}),
      ...(isOver100Percent(maximum) ? { maximum: 'percent' } : {}),
    }
  },
  measure: ({ allocation }) => ({ kind: 'fleet_in_shape', share: isShare(allocation) }),
  // A count rule over several geographies counts their union, so each shape gets a rule. MDS counts devices,
  // not shares of a fleet (MDS issue 618), so a share is published as text.
  mdsRules: ({ allocation, minimum, maximum, vehicle_states: states }, { geographies }) =>
    geographies.map(({ geography_id: id, name }) =>
      isShare(allocation)
        ? {
            name: `${name}: ${formatShareRange(minimum, maximum)} of the operator's vehicles (a share of a fleet is no MDS rule)`,
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
