import type { ListedPolicy } from '#contract/policies.ts'
import { PolicyFields } from '#contract/policy.ts'
import { toTestedPolicy } from './tested-policy.ts'

/** The revision that a draft is compared with: the published one by its id, else the saved one. */
export type OtherRevision = { published: string } | { saved: PolicyFields }

/** Returns what decides the results, as a key; the order of lists does not. */
const resultKey = (policy: PolicyFields): string =>
  JSON.stringify(toTestedPolicy(policy), (_, value: unknown) =>
    Array.isArray(value) ? (value as unknown[]).toSorted() : value,
  )

/** Returns the revision to compare with; null if there is none, or if it has the same results. */
export function otherRevision(policy: ListedPolicy | null, testedPolicy: PolicyFields): OtherRevision | null {
  if (!policy) return null
  const saved = PolicyFields.parse(policy)
  const publishedId = policy.published_policy_uuid
  const isDraft = publishedId !== null && publishedId !== policy.policy_uuid
  const isUnchanged = resultKey(testedPolicy) === resultKey(saved)
  if (isUnchanged && !isDraft) return null
  return publishedId === null ? { saved } : { published: publishedId }
}
