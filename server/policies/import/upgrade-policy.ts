type MdsRecord = Record<string, unknown>

const isRecord = (value: unknown): value is MdsRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
/** Units of fees by time in MDS 1.2. */
const timeUnits: readonly unknown[] = ['minutes', 'hours', 'days']

/** Returns the fields of a fee of MDS 1.2 that differ in 2.0, where fees have no rule type of their own. */
const upgradeFee = ({ rule_type: type, rule_units: units }: MdsRecord): MdsRecord =>
  type !== 'rate'
    ? {}
    : {
        rate_applies_when: 'in_bounds',
        ...(timeUnits.includes(units)
          ? { rule_type: 'time' }
          : { rule_type: 'count', rule_units: 'devices' }),
      }

/** Converts a rule of MDS 1.2 to MDS 2.0. */
function upgradeRule(rule: unknown): unknown {
  if (!isRecord(rule)) return rule
  const states = isRecord(rule['states'])
    ? {
        states: Object.fromEntries(
          Object.entries(rule['states']).map(([state, events]) => [
            state === 'unknown' ? 'non_contactable' : state,
            events,
          ]),
        ),
      }
    : {}
  const types = Array.isArray(rule['vehicle_types'])
    ? {
        vehicle_types: [
          ...new Set(
            toList(rule['vehicle_types']).flatMap((type) =>
              type === 'scooter' ? ['scooter_standing', 'scooter_seated'] : [type],
            ),
          ),
        ],
      }
    : {}
  return {
    ...rule,
    ...upgradeFee(rule),
    ...states,
    ...types,
    ...(rule['rate_recurrence'] === 'once' ? { rate_recurrence: 'once_on_match' } : {}),
  }
}

/** Converts a policy of MDS 1.2 to 2.0. Policies of 2.0 do not change. Invalid input is passed on. */
export const upgradePolicy = (policy: unknown): unknown =>
  isRecord(policy) && Array.isArray(policy['rules'])
    ? { ...policy, rules: policy['rules'].map(upgradeRule) }
    : policy
