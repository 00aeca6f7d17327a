import type { ListedPolicy } from '#contract/policies.ts'

/** What a policy that is written is compared with: the revision that is published now, else what was saved last. */
export const otherRevision = (policy: Pick<ListedPolicy, 'policy_uuid' | 'published_policy_uuid'> | null): { policyId: string; isPublished: boolean } | null =>
  policy && { policyId: policy.published_policy_uuid ?? policy.policy_uuid, isPublished: policy.published_policy_uuid !== null }
