import { ActionIcon, Menu } from '@mantine/core'
import { IconDeviceMobileOff, IconDots, IconEye, IconMailForward, IconPencil, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#contract/users.ts'
import { impersonateAddress } from './impersonate-address.ts'

export type UserAct = 'edit' | 'disable' | 'enable' | 'removeFactors' | 'renew'

interface Props {
  user: ManagedUser
  /** The one who looks at the list. */
  isSelf: boolean
  onAct: (act: UserAct) => void
}

/** What can be done with a user: only what the server would not refuse. */
export function UserActions({ user, isSelf, onAct }: Props) {
  const { t } = useTranslation()
  const item = (act: UserAct, Icon: typeof IconPencil) => <Menu.Item leftSection={<Icon size={16} aria-hidden="true" />} onClick={() => onAct(act)}>{t(`users:act.${act}`)}</Menu.Item>
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" aria-label={t('users:actionsOf', { email: user.email })}><IconDots size={18} /></ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {item('edit', IconPencil)}
        {user.invited && !user.disabled ? item('renew', IconMailForward) : null}
        {user.secondFactors > 0 ? item('removeFactors', IconDeviceMobileOff) : null}
        {user.disabled ? item('enable', IconUserCheck) : null}
        {user.disabled || isSelf ? null : item('disable', IconUserOff)}
        {user.disabled || isSelf ? null : <Menu.Item component="a" href={impersonateAddress(user)} leftSection={<IconEye size={16} aria-hidden="true" />}>{t('users:act.viewAs')}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}
