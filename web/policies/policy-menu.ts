import type { TFunction } from 'i18next'
import type { ListedPolicy } from '#contract/policies.ts'
import { pagePath } from '#web/shell/pages.ts'
import { ruleMenu } from '#web/shell/rule-menu.ts'
import type { PolicyAction } from './policy-actions.ts'
import { availableActions } from './available-actions.ts'
import { policyAddress } from './policy-address.ts'

/** Menu of a policy: label and actions. */
export function policyMenu(
  t: TFunction,
  policy: ListedPolicy,
  canEdit: boolean,
  onAction: (action: PolicyAction, policy: ListedPolicy) => void,
): ReturnType<typeof ruleMenu> {
  const { region_id: regionId, constant_policy_uuid: id } = policy
  return ruleMenu(t, policy.policy_name, availableActions(policy, canEdit), (action) => {
    if (action === 'open') return { to: policyAddress(regionId, id) }
    if (action === 'edit') return { to: policyAddress(regionId, id, 'edit') }
    if (action === 'duplicate') return { to: pagePath(regionId, 'policyDuplicate'), search: { policy: id } }
    return { onSelect: () => onAction(action, policy) }
  })
}
