import type { MdsGeography, MdsPolicy, MdsRule } from '#contract/mds-policy.ts'

type Row = Record<string, unknown>

/** Vehicle types of 1.2; others become `other`. */
const vehicleTypes: Record<string, string> = {
  bicycle: 'bicycle',
  cargo_bicycle: 'cargo_bicycle',
  car: 'car',
  moped: 'moped',
  scooter_standing: 'scooter',
  scooter_seated: 'scooter',
}
const propulsion = ['human', 'electric_assist', 'electric', 'combustion']
/** States of 1.2: lost vehicles are unknown, and no micromobility vehicle is stopped. */
const states: Record<string, string | null> = {
  available: 'available',
  non_operational: 'non_operational',
  reserved: 'reserved',
  on_trip: 'on_trip',
  removed: 'removed',
  elsewhere: 'elsewhere',
  non_contactable: 'unknown',
  missing: 'unknown',
  stopped: null,
}

/** A fee without bounds is a rule type of its own in 1.2; one that depends on duration stays a time rule, as in the official examples. */
function feeWords({
  rule_type: type,
  rule_units: units,
  rate_amount: amount,
  minimum,
  maximum,
}: MdsRule): Row {
  if (amount == null || minimum != null || maximum != null) return {}
  return { rule_type: 'rate', rule_units: type === 'time' ? units : 'amount' }
}

const known = (
  names: readonly string[] | null | undefined,
  words: (name: string) => string | null,
): string[] => [...new Set((names ?? []).map(words).filter((name) => name !== null))]

function earlierRule(rule: MdsRule): Row {
  const types = known(rule.vehicle_types, (name) => vehicleTypes[name] ?? 'other')
  const drives = known(rule.propulsion_types, (name) => (propulsion.includes(name) ? name : null))
  const named = Object.entries(rule.states ?? {}).flatMap(([state, events]): [string, unknown][] =>
    states[state] ? [[states[state], events ?? []]] : [],
  )
  const {
    vehicle_types: _types,
    propulsion_types: _drives,
    accessibility_options: _options,
    ...others
  } = rule
  return {
    ...others,
    ...feeWords(rule),
    states: Object.fromEntries(named),
    ...(types.length ? { vehicle_types: types } : {}),
    ...(drives.length ? { propulsion_types: drives } : {}),
  }
}

/** A policy in the form of MDS 1.2. */
function earlierPolicy({ mode_id: _mode, rules, ...policy }: MdsPolicy): Row {
  return { ...policy, rules: rules.map(earlierRule) }
}

/** A list of policies of 1.2, wrapped in `data`. */
export const earlierPolicies = (policies: readonly MdsPolicy[], updated: number): Row => ({
  version: '1.2.0',
  updated,
  data: { policies: policies.map(earlierPolicy) },
})

/** A list of geographies of 1.2, which its schema has without the wrapper. */
export const earlierGeographies = (geographies: readonly MdsGeography[], updated: number): Row => ({
  version: '1.2.0',
  updated,
  geographies,
})
