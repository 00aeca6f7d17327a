import { findPolicyType } from '#contract/policy-types/list.ts'
import { isMeasured } from '#contract/policy-types/is-measured.ts'
import { validatePolicy } from '#contract/policy-types/validate-policy.ts'
import type { PolicyFields } from '#contract/policy.ts'

/** The parts of a policy that affect its figures. Other changes, such as a new name, need no new request. */
export const triedPolicy = (policy: PolicyFields): PolicyFields => ({
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

/**
 * Why past days cannot be computed yet; null if they can. `picksShapes`: an empty selection means no shape
 * instead of all.
 */
export function findTryObstacle(
  policy: PolicyFields,
  currency: string,
  picksShapes = false,
): 'unfinished' | 'fee' | null {
  if (findPolicyType(policy.policy_type)?.isFee) return 'fee'
  // Imported rules are always complete.
  if (isMeasured(policy) && !findPolicyType(policy.policy_type)) return null
  const lacksShapes = picksShapes && policy.shape_uuids.length === 0
  return lacksShapes || Object.keys(validatePolicy(triedPolicy(policy), { currency })).length > 0
    ? 'unfinished'
    : null
}
