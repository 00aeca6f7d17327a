import type { ListedPolicy } from '#contract/policies.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'

/** Whether a published policy has a draft, which can be discarded by itself. */
export const hasDraftBeside = ({
  published,
  published_policy_uuid: id,
}: Pick<ListedPolicy, 'published' | 'published_policy_uuid'>): boolean => !published && id !== null

export type OfferedAct = 'open' | 'edit' | 'duplicate' | 'publish' | 'unpublish' | 'discard' | 'delete'

/** The available actions of a policy. Publishing an expired one is offered too, with an explanation why it is impossible. Imported ones of an unknown type cannot be edited. */
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
