import { type MdsRule, mdsDays } from '#contract/mds-policy.ts'
import { VehicleType } from '#contract/mobility.ts'
import { toMajor } from '#contract/money.ts'
import { emptyPolicy, type Policy, type PolicyFields, PolicyUnit, PropulsionType } from '#contract/policy.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import { mdsRules } from '#contract/policy-types/mds-rules.ts'
import { sentPolicy } from '#contract/policy-types/sent-policy.ts'
import { validatePolicy } from '#contract/policy-types/validate-policy.ts'
import { VehicleState } from '#contract/vehicle-states.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'

const sorted = (values: readonly string[] | null | undefined): string[] | null =>
  values?.length ? [...new Set(values)].sort() : null

/** The meaning of a rule, whatever its id: omitted values, null and the standard's defaults are equal. */
function meaning(rule: MdsRule): string {
  const { rule_type: type, states, rate_amount: amount, days } = rule
  const from = (rule.start_time ?? '00:00:00').padEnd(8, ':00')
  const until = (rule.end_time ?? '23:59:59').padEnd(8, ':00').replace(/^24:00:00$/, '23:59:59')
  const named = Object.entries(states ?? {})
  return canonicalText({
    type,
    units: rule.rule_units ?? (type === 'count' ? 'devices' : null),
    geographies: sorted(rule.geographies),
    states: named.length ? Object.fromEntries(named.map(([state, events]) => [state, sorted(events)])) : null,
    vehicles: sorted(rule.vehicle_types),
    drives: sorted(rule.propulsion_types),
    access: sorted(rule.accessibility_options),
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
    window: [from, until, days?.length && days.length < mdsDays.length ? sorted(days) : null],
    messages: Object.keys(rule.messages ?? {}).length ? rule.messages : null,
    value: rule.value_url ?? null,
  })
}

/** Whether two lists of rules have the same meaning, in any order and with any ids. */
export const sameRules = (a: readonly MdsRule[], b: readonly MdsRule[]): boolean =>
  a.length === b.length && canonicalText(a.map(meaning).sort()) === canonicalText(b.map(meaning).sort())

type Fields = Partial<PolicyFields>

/** The input besides the rules. */
export interface Reading {
  geographies: readonly { geography_id: string; name: string }[]
  /** Whether they apply to one geography that is the whole area of the agency. */
  isWhole: boolean
  /** ISO 4217 of the region. */
  currency: string
}

/** A placeholder while a policy has no id. */
const noId = '00000000-0000-4000-8000-000000000000'

/** Vehicle types and propulsions that may have been chosen: a bicycle of MDS is one with a motor, one without, or both. */
function whoOf({ vehicle_types: types, propulsion_types: drives }: MdsRule): Fields[] {
  const both = ['scooter_standing', 'scooter_seated']
  const isScooter = both.every((type) => types?.includes(type))
  const others = (types ?? []).filter((type) => type !== 'bicycle' && !(isScooter && both.includes(type)))
  const bicycles = types?.includes('bicycle')
    ? [['bicycle'], ['pedal_bicycle'], ['bicycle', 'pedal_bicycle']]
    : [[]]
  const propulsion = PropulsionType.array().safeParse(drives ?? []).data ?? []
  return bicycles.flatMap((chosen) => {
    const read = VehicleType.array().safeParse([...chosen, ...(isScooter ? ['scooter'] : []), ...others])
    return read.success
      ? (propulsion.length ? [[], propulsion] : [[]]).map((drive) => ({
          vehicle_types: read.data,
          propulsion_types: drive,
        }))
      : []
  })
}

const withSeconds = (time: string | null | undefined): string | null =>
  time == null || time.startsWith('24:') ? null : time.padEnd(8, ':00')
const daysOf = ({ days }: MdsRule): number[] => (days ?? []).map((day) => mdsDays.indexOf(day) || 7)

/** The fields of each type that one of the rules would result from. */
function whatOf(rule: MdsRule, { isWhole, currency }: Reading): Fields[] {
  const { rule_type: kind, minimum: least, maximum: most, rate_amount: rate } = rule
  const limits = { minimum: least ?? null, maximum: most ?? null }
  const states = VehicleState.array().safeParse(Object.keys(rule.states ?? {})).data ?? []
  const chosen = [null, ...(states.length ? [states] : [])]
  const unit = PolicyUnit.safeParse(rule.rule_units).data ?? null
  if (rate != null) {
    const value = toMajor(rate, currency)
    // Parking fees have no MDS rates in our types: their rules stay as imported.
    return isWhole ? [{ policy_type: 'trip_fees', value }] : []
  }
  if (kind === 'time') return [{ policy_type: 'parking_time_limit', unit, ...limits }]
  if (kind === 'speed') return [{ policy_type: 'slow_ride', unit, ...limits }]
  if (kind !== 'count') return []
  const bans = most === 0 ? [{ policy_type: 'no_parking' }, { policy_type: 'no_ride' }] : []
  const caps = isWhole
    ? chosen.map((vehicle_states) => ({ policy_type: 'vehicle_cap', vehicle_states, ...limits }))
    : []
  const shares = chosen.map((vehicle_states): Fields => ({
    policy_type: 'distribution',
    allocation: 'vehicles_per_operator_per_shape',
    vehicle_states,
    ...limits,
  }))
  return [...bans, ...caps, { policy_type: 'operator_drop_offs', ...limits }, ...shares]
}

/**
 * The fields of one of our types with exactly the meaning of the rules; null if there is none. Names, dates, operators and the layer are
 * filled in by the caller.
 */
export function matchPolicyType(rules: readonly MdsRule[], reading: Reading): PolicyFields | null {
  const [first] = rules
  if (!first) return null
  const common: Fields = {
    policy_name: 'x',
    shape_layer_uuid: noId,
    start_time: withSeconds(first.start_time),
    end_time: withSeconds(first.end_time),
    days: daysOf(first),
    messages: first.messages ?? {},
  }
  for (const what of whatOf(first, reading))
    for (const who of whoOf(first)) {
      const fields = sentPolicy({ ...emptyPolicy(), ...common, ...what, ...who })
      if (!policyTypeOf(fields.policy_type) || Object.keys(validatePolicy(fields, reading)).length) continue
      if (sameRules(mdsRules({ ...fields, policy_uuid: noId } as Policy, reading), rules)) return fields
    }
  return null
}
