import type { PolicyType } from './policy-type.ts'

/** Minimum or maximum number of vehicles that an operator drops off in each shape. */
export const operatorDropOffs: PolicyType = {
  name: 'operator_drop_offs',
  group: 'vehicle',
  hasCountLimits: true,
  timeWindowUnit: 'hours',
  isFee: false,
  place: 'shapes',
  offeredFields: () => ['minimum', 'maximum', 'start_time', 'end_time', 'days'],
  measure: () => ({ kind: 'drop_offs' }),
  mdsRules: ({ minimum, maximum }, { geographies }) =>
    geographies.map(({ geography_id: id, name }) => ({
      name,
      rule_type: 'count',
      rule_units: 'devices',
      states: { available: ['provider_drop_off'] },
      geographies: [id],
      minimum,
      maximum,
    })),
}
