import type { MdsGeography, MdsPolicy, MdsRule } from '#contract/mds-policy.ts'

type MdsRecord = Record<string, unknown>

/** Vehicle types of MDS 1.2. Others become `other`. */
const vehicleTypes: Record<string, string> = {
  bicycle: 'bicycle',
  cargo_bicycle: 'cargo_bicycle',
  car: 'car',
  moped: 'moped',
  scooter_standing: 'scooter',
  scooter_seated: 'scooter',
}
const propulsionTypes = ['human', 'electric_assist', 'electric', 'combustion']
/** States of MDS 1.2; null for those without an equivalent. Lost vehicles are `unknown`. */
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

/**
 * Returns the fields of a fee that differ in MDS 1.2. A fee without bounds has the rule type `rate` there. A
 * fee with bounds stays a time rule, as in the official examples.
 */
function downgradeFee({
  rule_type: type,
  rule_units: units,
  rate_amount: amount,
  minimum,
  maximum,
}: MdsRule): MdsRecord {
  if (amount == null || minimum != null || maximum != null) return {}
  return { rule_type: 'rate', rule_units: type === 'time' ? units : 'amount' }
}

/** Converts names, without duplicates and names that have no equivalent. */
const convertNames = (
  names: readonly string[] | null | undefined,
  convert: (name: string) => string | null,
): string[] => [...new Set((names ?? []).map(convert).filter((name) => name !== null))]

/** Converts a rule to MDS 1.2. */
function downgradeRule(rule: MdsRule): MdsRecord {
  const types = convertNames(rule.vehicle_types, (name) => vehicleTypes[name] ?? 'other')
  const drives = convertNames(rule.propulsion_types, (name) => (propulsionTypes.includes(name) ? name : null))
  const eventsByState = Object.entries(rule.states ?? {}).flatMap(([state, events]): [string, unknown][] =>
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
    ...downgradeFee(rule),
    states: Object.fromEntries(eventsByState),
    ...(types.length ? { vehicle_types: types } : {}),
    ...(drives.length ? { propulsion_types: drives } : {}),
  }
}

/** Converts a policy to MDS 1.2. */
function downgradePolicy({ mode_id: _mode, rules, ...policy }: MdsPolicy): MdsRecord {
  return { ...policy, rules: rules.map(downgradeRule) }
}

/** Returns the body of a list of policies in MDS 1.2, which wraps it in `data`. */
export const downgradePolicies = (policies: readonly MdsPolicy[], updated: number): MdsRecord => ({
  version: '1.2.0',
  updated,
  data: { policies: policies.map(downgradePolicy) },
})

/** Returns the body of a list of geographies in MDS 1.2, which its schema does not wrap in `data`. */
export const downgradeGeographies = (geographies: readonly MdsGeography[], updated: number): MdsRecord => ({
  version: '1.2.0',
  updated,
  geographies,
})
