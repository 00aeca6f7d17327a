import { copyPolicy, type Policy } from '#contract/policy.ts'
import { findPolicy } from './find-policy.ts'
import { type By, type PolicyStores, savePolicy } from './save-policy.ts'

/** Saves a copy of a revision as the draft of a new policy. */
export async function duplicatePolicy(
  stores: PolicyStores,
  by: By,
  policyId: string,
  at: Date,
): Promise<Policy> {
  const policy = await findPolicy(stores.state, by.scope, policyId, at)
  return savePolicy(stores, by, { ...copyPolicy(policy), region_id: policy.region_id }, at)
}
