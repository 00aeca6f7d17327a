import { ActionIcon, Popover, UnstyledButton } from '@mantine/core'
import { IconDeviceMobileOff, IconDots, IconEye, IconMailForward, IconPencil, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#contract/users.ts'
import { impersonateAddress } from './impersonate-address.ts'
import styles from './user-actions.module.css'

export type UserAct = 'edit' | 'disable' | 'enable' | 'removeFactors' | 'renew'

interface Props {
  user: ManagedUser
  /** The one who looks at the list. */
  isSelf: boolean
  onAct: (act: UserAct) => void
}

const icons = { edit: IconPencil, renew: IconMailForward, removeFactors: IconDeviceMobileOff, enable: IconUserCheck, disable: IconUserOff } as const

/** What can be done with a user: only what the server would not refuse. */
function actsOn({ disabled, invited, secondFactors }: ManagedUser, isSelf: boolean): UserAct[] {
  const may: Record<UserAct, boolean> = { edit: true, renew: invited && !disabled, removeFactors: secondFactors > 0, enable: disabled, disable: !disabled && !isSelf }
  return (Object.keys(may) as UserAct[]).filter((act) => may[act])
}

/** The actions of a row behind a button. */
export function UserActions({ user, isSelf, onAct }: Props) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const label = t('users:actionsOf', { email: user.email })
  const begin = (act: UserAct) => {
    setIsOpen(false)
    onAct(act)
  }
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" width={260} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <ActionIcon variant="subtle" aria-label={label} onClick={() => setIsOpen(!isOpen)}><IconDots size={18} /></ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={label} aria-labelledby={undefined}>
        {actsOn(user, isSelf).map((act) => {
          const Icon = icons[act]
          return <UnstyledButton key={act} className={styles['line'] ?? ''} onClick={() => begin(act)}><Icon size={16} aria-hidden="true" />{t(`users:act.${act}`)}</UnstyledButton>
        })}
        {user.disabled || isSelf ? null : <a className={styles['line']} href={impersonateAddress(user)}><IconEye size={16} aria-hidden="true" />{t('users:act.viewAs')}</a>}
      </Popover.Dropdown>
    </Popover>
  )
}
