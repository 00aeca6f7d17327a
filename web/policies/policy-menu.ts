import type { TFunction } from 'i18next'
import type { ListedPolicy } from '#contract/policies.ts'
import { pagePath } from '#web/shell/pages.ts'
import { ruleMenu } from '#web/shell/rule-menu.ts'
import type { PolicyAct } from './act-fault.ts'
import { offeredActs } from './offered-acts.ts'
import { policyAddress } from './policy-address.ts'

/** Menu of a policy: label and actions. */
export function policyMenu(
  t: TFunction,
  policy: ListedPolicy,
  mayEdit: boolean,
  onAct: (act: PolicyAct, policy: ListedPolicy) => void,
): ReturnType<typeof ruleMenu> {
  const { region_id: regionId, constant_policy_uuid: id } = policy
  return ruleMenu(t, policy.policy_name, offeredActs(policy, mayEdit), (act) => {
    if (act === 'open') return { to: policyAddress(regionId, id) }
    if (act === 'edit') return { to: policyAddress(regionId, id, 'edit') }
    if (act === 'duplicate') return { to: pagePath(regionId, 'policyDuplicate'), search: { policy: id } }
    return { onSelect: () => onAct(act, policy) }
  })
}
