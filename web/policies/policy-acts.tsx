import { ActionIcon, Popover, UnstyledButton } from '@mantine/core'
import { IconArrowBackUp, IconCopy, IconDots, IconEye, IconPencil, IconTrash, IconWorldOff, IconWorldUpload, type Icon } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedPolicy } from '#contract/policies.ts'
import { addressIn } from '#web/shell/pages.ts'
import type { PolicyAct } from './act-fault.ts'
import { offeredActs, type OfferedAct } from './offered-acts.ts'
import styles from './policies.module.css'
import { policyAddress } from './policy-address.ts'

export interface ActsProps {
  policy: ListedPolicy
  mayEdit: boolean
  onAct: (act: PolicyAct, policy: ListedPolicy) => void
}

const icons: Record<OfferedAct, Icon> = { open: IconEye, edit: IconPencil, duplicate: IconCopy, publish: IconWorldUpload, unpublish: IconWorldOff, discard: IconArrowBackUp, delete: IconTrash }

/** What can be done with a policy, behind a button. */
export function PolicyActs({ policy, mayEdit, onAct }: ActsProps) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const label = t('policies:acts.of', { name: policy.policy_name })
  const { region_id: regionId, constant_policy_uuid: id } = policy
  const item = (act: OfferedAct) => {
    const ActIcon = icons[act]
    const inside = <><ActIcon size={16} aria-hidden="true" />{t(`policies:acts.${act}`)}</>
    if (act === 'open') return <Link key={act} className={styles['act']} to={policyAddress(regionId, id)}>{inside}</Link>
    if (act === 'edit') return <Link key={act} className={styles['act']} to={policyAddress(regionId, id, 'edit')}>{inside}</Link>
    if (act === 'duplicate') return <Link key={act} className={styles['act']} to={addressIn(regionId, 'policyDuplicate')} search={{ policy: id } as never}>{inside}</Link>
    return <UnstyledButton key={act} className={styles['act'] ?? ''} data-danger={act === 'delete' || act === 'discard' || undefined} onClick={() => { setIsOpen(false); onAct(act, policy) }}>{inside}</UnstyledButton>
  }
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" width={200} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={() => setIsOpen(!isOpen)}><IconDots size={18} /></ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={label} aria-labelledby={undefined}>{offeredActs(policy, mayEdit).map(item)}</Popover.Dropdown>
    </Popover>
  )
}
