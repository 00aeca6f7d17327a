import type { ListedPolicy } from '#contract/policies.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import { offeredRuleActions, type RuleAction } from '#web/shell/rule-menu.ts'

/** Whether a published policy also has a draft, which can be discarded on its own. */
export const hasDraftBeside = ({
  published,
  published_policy_uuid: id,
}: Pick<ListedPolicy, 'published' | 'published_policy_uuid'>): boolean => !published && id !== null

/** The available actions of a policy. Imported policies of an unknown type cannot be edited. */
export const availableActions = (
  {
    policy_type: type,
    published,
    published_policy_uuid: id,
  }: Pick<ListedPolicy, 'policy_type' | 'published' | 'published_policy_uuid'>,
  mayEdit: boolean,
): RuleAction[] =>
  offeredRuleActions(
    { published, hasPublished: id !== null, canEdit: findPolicyType(type) !== null },
    mayEdit,
  )
