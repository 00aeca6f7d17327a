import type { ListedPolicy } from '#contract/policies.ts'
import { PolicyFields } from '#contract/policy.ts'

/** The revision that a draft is compared with: the published one by its id, else the saved one. */
export type OtherRevision = { published: string } | { saved: PolicyFields }

export const otherRevision = (policy: ListedPolicy | null): OtherRevision | null =>
  policy &&
  (policy.published_policy_uuid === null
    ? { saved: PolicyFields.parse(policy) }
    : { published: policy.published_policy_uuid })
