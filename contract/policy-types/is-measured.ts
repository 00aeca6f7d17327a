import type { MdsRule } from '#contract/mds-policy.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { findPolicyType } from './list.ts'

const measurableRuleTypes: readonly string[] = ['count', 'time', 'speed']

/**
 * Returns whether a rule can be violated: it has a bound, and the bound does not merely select what is
 * charged. A count rule with a bound can always be violated.
 */
export const canBeViolated = ({
  rule_type: type,
  minimum,
  maximum,
  rate_applies_when: when,
}: Pick<MdsRule, 'rule_type' | 'minimum' | 'maximum' | 'rate_applies_when'>): boolean =>
  measurableRuleTypes.includes(type) &&
  (minimum != null || maximum != null) &&
  (type === 'count' || when !== 'in_bounds')

/** Returns whether compliance is measured: all types but fees, and imported rules that can be violated. */
export function isMeasured({
  policy_type: name,
  imported_mds: mds,
}: Pick<PolicyFields, 'policy_type' | 'imported_mds'>): boolean {
  const type = findPolicyType(name)
  return type ? !type.isFee : (mds?.rules.some(canBeViolated) ?? false)
}
