import type { ListedPolicy } from '#contract/policies.ts'
import { PolicyFields } from '#contract/policy.ts'
import { triedPolicy } from './tried-policy.ts'

/** The revision that a draft is compared with: the published one by its id, else the saved one. */
export type OtherRevision = { published: string } | { saved: PolicyFields }

/** What decides the results; their order in lists does not. */
const resultKey = (policy: PolicyFields): string =>
  JSON.stringify(triedPolicy(policy), (_, value: unknown) =>
    Array.isArray(value) ? (value as unknown[]).toSorted() : value,
  )

/** Null if there is no such revision, or if it has the same results because nothing was changed. */
export function otherRevision(policy: ListedPolicy | null, tried: PolicyFields): OtherRevision | null {
  if (!policy) return null
  const saved = PolicyFields.parse(policy)
  const publishedId = policy.published_policy_uuid
  const isDraft = publishedId !== null && publishedId !== policy.policy_uuid
  const isUnchanged = resultKey(tried) === resultKey(saved)
  if (isUnchanged && !isDraft) return null
  return publishedId === null ? { saved } : { published: publishedId }
}
