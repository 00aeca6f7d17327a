import type { ListedPolicy } from '#contract/policies.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import { offeredRuleActions, type RuleAction } from '#web/shell/rule-menu.ts'

/** Whether a published policy also has a draft, which can be discarded on its own. */
export const hasDraftBeside = ({
  published,
  published_policy_uuid: id,
}: Pick<ListedPolicy, 'published' | 'published_policy_uuid'>): boolean => !published && id !== null

/** Lists the actions on a policy. Imported policies of an unknown type cannot be edited. */
export const availableActions = (
  policy: Pick<ListedPolicy, 'policy_type' | 'published' | 'published_policy_uuid'>,
  canEdit: boolean,
): RuleAction[] =>
  offeredRuleActions(
    {
      published: policy.published,
      hasPublished: policy.published_policy_uuid !== null,
      canEdit: findPolicyType(policy.policy_type) !== null,
    },
    canEdit,
  )
