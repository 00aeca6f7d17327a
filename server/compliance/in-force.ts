import type { RulePolicy } from './rule.ts'

/** The policies that hold at an instant (epoch ms): begun, not ended, and not superseded by one that has begun itself (metrics.md, decision 7). */
export function inForce<Policy extends Pick<RulePolicy, 'policyId' | 'from' | 'to' | 'supersedes'>>(
  policies: readonly Policy[],
  at: number,
): Policy[] {
  const begun = policies.filter(({ from }) => from <= at)
  const gone = new Set(
    begun.flatMap(({ policyId, supersedes }) => supersedes.filter((id) => id !== policyId)),
  )
  return begun.filter(({ policyId, to }) => at < to && !gone.has(policyId))
}
