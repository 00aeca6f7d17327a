import { policyTypeOf } from '#contract/policy-types/list.ts'
import { isMeasured } from '#contract/policy-types/is-measured.ts'
import { validatePolicy } from '#contract/policy-types/validate-policy.ts'
import type { PolicyFields } from '#contract/policy.ts'

/** The policy as it is asked for: what changes no figure is left out, so that a new name asks nothing anew. */
export const askedPolicy = (policy: PolicyFields): PolicyFields => ({
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

/** Why past days cannot be worked out yet; null: they can. `picksShapes`: none chosen is none, not all. */
export function whyNotAsked(
  policy: PolicyFields,
  currency: string,
  picksShapes = false,
): 'unfinished' | 'fee' | null {
  if (policyTypeOf(policy.policy_type)?.isFee) return 'fee'
  // Rules that were imported are complete as they came.
  if (isMeasured(policy) && !policyTypeOf(policy.policy_type)) return null
  const lacksShapes = picksShapes && policy.shape_uuids.length === 0
  return lacksShapes || Object.keys(validatePolicy(askedPolicy(policy), { currency })).length > 0
    ? 'unfinished'
    : null
}
