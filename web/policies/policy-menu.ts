import {
  IconArrowBackUp,
  IconCopy,
  IconEye,
  IconPencil,
  IconTrash,
  IconWorldOff,
  IconWorldUpload,
  type Icon,
} from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import type { ListedPolicy } from '#contract/policies.ts'
import type { MenuAction } from '#web/kit/action-menu.tsx'
import { pagePath } from '#web/shell/pages.ts'
import type { PolicyAct } from './act-fault.ts'
import { offeredActs, type OfferedAct } from './offered-acts.ts'
import { policyAddress } from './policy-address.ts'

const icons: Record<OfferedAct, Icon> = {
  open: IconEye,
  edit: IconPencil,
  duplicate: IconCopy,
  publish: IconWorldUpload,
  unpublish: IconWorldOff,
  discard: IconArrowBackUp,
  delete: IconTrash,
}

/** Menu of a policy: label and actions. */
export function policyMenu(
  t: TFunction,
  policy: ListedPolicy,
  mayEdit: boolean,
  onAct: (act: PolicyAct, policy: ListedPolicy) => void,
): { label: string; acts: MenuAction[] } {
  const { region_id: regionId, constant_policy_uuid: id } = policy
  const targetOf = (act: OfferedAct) => {
    if (act === 'open') return { to: policyAddress(regionId, id) }
    if (act === 'edit') return { to: policyAddress(regionId, id, 'edit') }
    if (act === 'duplicate') return { to: pagePath(regionId, 'policyDuplicate'), search: { policy: id } }
    return { onSelect: () => onAct(act, policy) }
  }
  const acts = offeredActs(policy, mayEdit).map((act) => ({
    key: act,
    label: t(`policies:acts.${act}`),
    icon: icons[act],
    isDanger: act === 'delete' || act === 'discard',
    ...targetOf(act),
  }))
  return { label: t('policies:acts.of', { name: policy.policy_name }), acts }
}
