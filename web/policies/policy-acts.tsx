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
import { useTranslation } from 'react-i18next'
import type { ListedPolicy } from '#contract/policies.ts'
import { RowMenu } from '#web/kit/action-menu.tsx'
import { pagePath } from '#web/shell/pages.ts'
import type { PolicyAct } from './act-fault.ts'
import { offeredActs, type OfferedAct } from './offered-acts.ts'
import { policyAddress } from './policy-address.ts'

export interface ActsProps {
  policy: ListedPolicy
  mayEdit: boolean
  onAct: (act: PolicyAct, policy: ListedPolicy) => void
}

const icons: Record<OfferedAct, Icon> = {
  open: IconEye,
  edit: IconPencil,
  duplicate: IconCopy,
  publish: IconWorldUpload,
  unpublish: IconWorldOff,
  discard: IconArrowBackUp,
  delete: IconTrash,
}

/** What can be done with a policy, behind a button. */
export function PolicyActs({ policy, mayEdit, onAct }: ActsProps) {
  const { t } = useTranslation()
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
  return <RowMenu label={t('policies:acts.of', { name: policy.policy_name })} acts={acts} />
}
