import type { PolicyType } from './policy-type.ts'

/** Number of vehicles that an operator must or may drop off in each shape. */
export const operatorDropOffs: PolicyType = {
  name: 'operator_drop_offs',
  group: 'vehicle',
  countsBased: true,
  timeframeUnit: 'hours',
  isFee: false,
  place: 'shapes',
  units: [],
  offeredFields: () => ['minimum', 'maximum', 'start_time', 'end_time', 'days'],
  requiredFields: () => ({}),
  initialFields: () => ({}),
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
