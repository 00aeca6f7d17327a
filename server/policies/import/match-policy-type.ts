import { type MdsRule, mdsDays } from '#contract/mds-policy.ts'
import { VehicleType } from '#contract/mobility.ts'
import { toMajor } from '#contract/money.ts'
import { emptyPolicy, type Policy, type PolicyFields, PolicyUnit, PropulsionType } from '#contract/policy.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import { mdsRules } from '#contract/policy-types/mds-rules.ts'
import { sentPolicy } from '#contract/policy-types/sent-policy.ts'
import { validatePolicy } from '#contract/policy-types/validate-policy.ts'
import { VehicleState } from '#contract/vehicle-states.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'

/** Sorts a set of values; null if it is empty. */
const sortUnique = (values: readonly string[] | null | undefined): string[] | null =>
  values?.length ? [...new Set(values)].sort() : null

/** Returns a canonical form of a rule without id: omitted values, null and defaults are equal. */
function toCanonicalRule(rule: MdsRule): string {
  const { rule_type: type, states, rate_amount: amount, days } = rule
  const from = (rule.start_time ?? '00:00:00').padEnd(8, ':00')
  const until = (rule.end_time ?? '23:59:59').padEnd(8, ':00').replace(/^24:00:00$/, '23:59:59')
  const stateEntries = Object.entries(states ?? {})
  return canonicalText({
    type,
    units: rule.rule_units ?? (type === 'count' ? 'devices' : null),
    geographies: sortUnique(rule.geographies),
    states: stateEntries.length
      ? Object.fromEntries(stateEntries.map(([state, events]) => [state, sortUnique(events)]))
      : null,
    vehicles: sortUnique(rule.vehicle_types),
    drives: sortUnique(rule.propulsion_types),
    access: sortUnique(rule.accessibility_options),
    bounds: [
      rule.minimum || null,
      rule.maximum ?? null,
      rule.inclusive_minimum ?? true,
      rule.inclusive_maximum ?? true,
    ],
    rate:
      amount == null
        ? null
        : [amount, rule.rate_recurrence ?? null, rule.rate_applies_when ?? 'out_of_bounds'],
    window: [from, until, days?.length && days.length < mdsDays.length ? sortUnique(days) : null],
    messages: Object.keys(rule.messages ?? {}).length ? rule.messages : null,
    value: rule.value_url ?? null,
  })
}

/** Whether two lists of rules are equal except for their order and ids. */
export const areRulesEqual = (a: readonly MdsRule[], b: readonly MdsRule[]): boolean =>
  a.length === b.length &&
  canonicalText(a.map(toCanonicalRule).sort()) === canonicalText(b.map(toCanonicalRule).sort())

type Fields = Partial<PolicyFields>

/** What the rules of a policy refer to. */
export interface RuleContext {
  geographies: readonly { geography_id: string; name: string }[]
  /** Whether the rules apply to a single geography that is the entire area of the agency. */
  isEntireArea: boolean
  /** The currency of the region (ISO 4217). */
  currency: string
}

/** A placeholder while a policy has no id. */
const noId = '00000000-0000-4000-8000-000000000000'

/** Lists types and propulsions of a rule. An MDS bicycle may stand for electric or pedal ones, or both. */
function listVehicleCandidates({ vehicle_types: types, propulsion_types: drives }: MdsRule): Fields[] {
  const scooterTypes = ['scooter_standing', 'scooter_seated']
  const isScooter = scooterTypes.every((type) => types?.includes(type))
  const otherTypes = (types ?? []).filter(
    (type) => type !== 'bicycle' && !(isScooter && scooterTypes.includes(type)),
  )
  const bicycles = types?.includes('bicycle')
    ? [['bicycle'], ['pedal_bicycle'], ['bicycle', 'pedal_bicycle']]
    : [[]]
  const propulsion = PropulsionType.array().safeParse(drives ?? []).data ?? []
  return bicycles.flatMap((bicycleTypes) => {
    const parsed = VehicleType.array().safeParse([
      ...bicycleTypes,
      ...(isScooter ? ['scooter'] : []),
      ...otherTypes,
    ])
    return parsed.success
      ? (propulsion.length ? [[], propulsion] : [[]]).map((drive) => ({
          vehicle_types: parsed.data,
          propulsion_types: drive,
        }))
      : []
  })
}

/** Adds seconds to a time of day; null for the end of the day. */
const addSeconds = (time: string | null | undefined): string | null =>
  time == null || time.startsWith('24:') ? null : time.padEnd(8, ':00')
/** Converts MDS days to ISO weekdays. In MDS, Sunday is the first day. */
const toDayNumbers = ({ days }: MdsRule): number[] => (days ?? []).map((day) => mdsDays.indexOf(day) || 7)

/** Lists the fields of each policy type from which a rule may result. */
function listTypeCandidates(rule: MdsRule, { isEntireArea, currency }: RuleContext): Fields[] {
  const { rule_type: kind, minimum, maximum, rate_amount: rate } = rule
  const limits = { minimum: minimum ?? null, maximum: maximum ?? null }
  const states = VehicleState.array().safeParse(Object.keys(rule.states ?? {})).data ?? []
  const stateCandidates = [null, ...(states.length ? [states] : [])]
  const unit = PolicyUnit.safeParse(rule.rule_units).data ?? null
  if (rate != null) {
    const value = toMajor(rate, currency)
    // Parking fees are not published as MDS rates, so imported ones match no type.
    return isEntireArea ? [{ policy_type: 'trip_fees', value }] : []
  }
  if (kind === 'time') return [{ policy_type: 'parking_time_limit', unit, ...limits }]
  if (kind === 'speed') return [{ policy_type: 'slow_ride', unit, ...limits }]
  if (kind !== 'count') return []
  const bans = maximum === 0 ? [{ policy_type: 'no_parking' }, { policy_type: 'no_ride' }] : []
  const caps = isEntireArea
    ? stateCandidates.map((vehicle_states) => ({ policy_type: 'vehicle_cap', vehicle_states, ...limits }))
    : []
  const shares = stateCandidates.map((vehicle_states): Fields => ({
    policy_type: 'distribution',
    allocation: 'vehicles_per_operator_per_shape',
    vehicle_states,
    ...limits,
  }))
  return [...bans, ...caps, { policy_type: 'operator_drop_offs', ...limits }, ...shares]
}

/**
 * Finds the fields of a policy type that result in exactly these rules; null if there are none. It publishes
 * each candidate as MDS and compares the rules. The caller fills in name, dates, operators and layer.
 */
export function matchPolicyType(rules: readonly MdsRule[], context: RuleContext): PolicyFields | null {
  const [firstRule] = rules
  if (!firstRule) return null
  const common: Fields = {
    policy_name: 'x',
    shape_layer_uuid: noId,
    start_time: addSeconds(firstRule.start_time),
    end_time: addSeconds(firstRule.end_time),
    days: toDayNumbers(firstRule),
    messages: firstRule.messages ?? {},
  }
  for (const typeFields of listTypeCandidates(firstRule, context))
    for (const vehicleFields of listVehicleCandidates(firstRule)) {
      const fields = sentPolicy({ ...emptyPolicy(), ...common, ...typeFields, ...vehicleFields })
      if (!findPolicyType(fields.policy_type) || Object.keys(validatePolicy(fields, context)).length) continue
      if (areRulesEqual(mdsRules({ ...fields, policy_uuid: noId } as Policy, context), rules)) return fields
    }
  return null
}
