import type { MdsRule } from '../mds-policy.ts'
import type { PolicyFields } from '../policy.ts'
import { policyTypeOf } from './list.ts'

const measurable: readonly string[] = ['count', 'time', 'speed']

/** Whether anything can break a rule: it has a bound, and is none that only charges for what keeps to it. A count is broken whatever it charges for. */
export const canBeViolated = ({
  rule_type: type,
  minimum,
  maximum,
  rate_applies_when: when,
}: Pick<MdsRule, 'rule_type' | 'minimum' | 'maximum' | 'rate_applies_when'>): boolean =>
  measurable.includes(type) &&
  (minimum != null || maximum != null) &&
  (type === 'count' || when !== 'in_bounds')

/** Whether compliance is told of a policy: of all types but fees, and of imported rules that can be broken. */
export function isMeasured({
  policy_type: name,
  imported_mds: mds,
}: Pick<PolicyFields, 'policy_type' | 'imported_mds'>): boolean {
  const type = policyTypeOf(name)
  return type ? !type.isFee : (mds?.rules.some(canBeViolated) ?? false)
}
