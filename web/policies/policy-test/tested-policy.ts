import { findPolicyType } from '#contract/policy-types/list.ts'
import { isMeasured } from '#contract/policy-types/is-measured.ts'
import { validatePolicy } from '#contract/policy-types/validate-policy.ts'
import type { PolicyFields } from '#contract/policy.ts'

/** Returns the parts of a policy that affect its results. Other changes, such as a new name, need no request. */
export const toTestedPolicy = (policy: PolicyFields): PolicyFields => ({
  ...policy,
  policy_name: 'x',
  description: null,
  messages: {},
  start_date: null,
  end_date: null,
  agency_name: null,
  imported_source: null,
  priority: null,
  value: null,
})

/** Returns why a policy cannot be tested yet; null if it can. `picksShapes`: no selection is no shape. */
export function findTestObstacle(
  policy: PolicyFields,
  currency: string,
  picksShapes = false,
): 'unfinished' | 'fee' | null {
  if (findPolicyType(policy.policy_type)?.isFee) return 'fee'
  // Imported rules are always complete.
  if (isMeasured(policy) && !findPolicyType(policy.policy_type)) return null
  const lacksShapes = picksShapes && policy.shape_uuids.length === 0
  return lacksShapes || Object.keys(validatePolicy(toTestedPolicy(policy), { currency })).length > 0
    ? 'unfinished'
    : null
}
