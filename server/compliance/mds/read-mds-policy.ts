import type { MdsPolicy } from '#contract/mds-policy.ts'
import type { Area, RulePolicy } from '../rule.ts'
import { readMdsRule, RuleProblem } from './read-mds-rule.ts'

/**
 * A policy of MDS as the engine evaluates it. Rules for riders only are left out.
 * @throws RuleProblem Where it cannot be understood; names the policy and the rule.
 */
export function readMdsPolicy(policy: MdsPolicy, areaOf: (ids: readonly string[]) => Area): RulePolicy {
  try {
    return {
      policyId: policy.policy_id,
      name: policy.name,
      providerIds: policy.provider_ids?.length ? new Set(policy.provider_ids) : null,
      from: policy.start_date,
      to: policy.end_date ?? Infinity,
      supersedes: policy.prev_policies ?? [],
      rules: policy.rules.flatMap((rule) => readMdsRule(rule, areaOf) ?? []),
    }
  } catch (error) {
    if (error instanceof RuleProblem) throw new RuleProblem(`Policy ${policy.policy_id}: ${error.message}`)
    throw error
  }
}
