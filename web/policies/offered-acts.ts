import type { ListedPolicy } from '#contract/policies.ts'

export type OfferedAct = 'open' | 'edit' | 'duplicate' | 'publish' | 'unpublish' | 'delete'

/** What can be done with a policy. Publishing an expired one is offered too: then it is said why it cannot be. */
export function offeredActs(policy: Pick<ListedPolicy, 'published' | 'published_policy_uuid'>, mayEdit: boolean): OfferedAct[] {
  if (!mayEdit) return ['open']
  return ['open', 'edit', 'duplicate', ...(policy.published ? [] : (['publish'] as const)), ...(policy.published_policy_uuid === null ? [] : (['unpublish'] as const)), 'delete']
}
