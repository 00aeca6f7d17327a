import {
  IconDeviceMobileOff,
  IconEye,
  IconMailForward,
  IconPencil,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#contract/users.ts'
import { RowMenu } from '#web/kit/action-menu.tsx'
import { impersonateAddress } from './impersonate-address.ts'

export type UserAct = 'edit' | 'disable' | 'enable' | 'removeFactors' | 'renew'

interface Props {
  user: ManagedUser
  /** The one who looks at the list. */
  isSelf: boolean
  onAct: (act: UserAct) => void
}

const icons = {
  edit: IconPencil,
  renew: IconMailForward,
  removeFactors: IconDeviceMobileOff,
  enable: IconUserCheck,
  disable: IconUserOff,
} as const

/** What can be done with a user: only what the server would not refuse. */
function actsOn({ disabled, invited, secondFactors }: ManagedUser, isSelf: boolean): UserAct[] {
  const may: Record<UserAct, boolean> = {
    edit: true,
    renew: invited && !disabled,
    removeFactors: secondFactors > 0,
    enable: disabled,
    disable: !disabled && !isSelf,
  }
  return (Object.keys(may) as UserAct[]).filter((act) => may[act])
}

/** The actions of a row behind a button. */
export function UserActions({ user, isSelf, onAct }: Props) {
  const { t } = useTranslation()
  const acts = actsOn(user, isSelf).map((act) => ({
    key: act,
    label: t(`users:act.${act}`),
    icon: icons[act],
    onSelect: () => onAct(act),
  }))
  const viewAs =
    user.disabled || isSelf
      ? []
      : [{ key: 'viewAs', label: t('users:act.viewAs'), icon: IconEye, href: impersonateAddress(user) }]
  return <RowMenu label={t('users:actionsOf', { email: user.email })} acts={[...acts, ...viewAs]} />
}
