import type { ListedPolicy } from '#contract/policies.ts'
import { PolicyFields } from '#contract/policy.ts'

/** What a policy that is written is compared with: the revision that is published now, by its id, else what was saved last. */
export type OtherRevision = { published: string } | { saved: PolicyFields }

export const otherRevision = (policy: ListedPolicy | null): OtherRevision | null =>
  policy &&
  (policy.published_policy_uuid === null
    ? { saved: PolicyFields.parse(policy) }
    : { published: policy.published_policy_uuid })
