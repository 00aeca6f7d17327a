import type { ListedPolicy } from '#contract/policies.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'

/** Whether a draft stands beside a published revision: it can be discarded alone. */
export const hasDraftBeside = ({
  published,
  published_policy_uuid: id,
}: Pick<ListedPolicy, 'published' | 'published_policy_uuid'>): boolean => !published && id !== null

export type OfferedAct = 'open' | 'edit' | 'duplicate' | 'publish' | 'unpublish' | 'discard' | 'delete'

/** What can be done with a policy. Publishing an expired one is offered too: then it is said why it cannot be. One of an unknown type, which was imported, is as it came. */
export function offeredActs(
  policy: Pick<ListedPolicy, 'policy_type' | 'published' | 'published_policy_uuid'>,
  mayEdit: boolean,
): OfferedAct[] {
  if (!mayEdit) return ['open']
  return [
    'open',
    ...(policyTypeOf(policy.policy_type) ? (['edit', 'duplicate'] as const) : []),
    ...(policy.published ? [] : (['publish'] as const)),
    ...(policy.published_policy_uuid === null ? [] : (['unpublish'] as const)),
    ...(hasDraftBeside(policy) ? (['discard'] as const) : []),
    'delete',
  ]
}
