import type { ListedPolicy } from '#contract/policies.ts'
import { PolicyFields } from '#contract/policy.ts'

/** What an edited policy is compared with: the published revision by its id, else the saved one. */
export type OtherRevision = { published: string } | { saved: PolicyFields }

export const otherRevision = (policy: ListedPolicy | null): OtherRevision | null =>
  policy &&
  (policy.published_policy_uuid === null
    ? { saved: PolicyFields.parse(policy) }
    : { published: policy.published_policy_uuid })
