import {
  IconDeviceMobileOff,
  IconEye,
  IconFileDownload,
  IconMailForward,
  IconPencil,
  IconUserCheck,
  IconUserOff,
  IconUserX,
} from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import type { ManagedUser } from '#contract/users.ts'
import type { MenuAction } from '#web/kit/action-menu.tsx'
import { impersonateAddress } from './impersonate-address.ts'

export type UserAction = 'edit' | 'disable' | 'enable' | 'removeFactors' | 'renew' | 'remove'

const icons = {
  edit: IconPencil,
  renew: IconMailForward,
  removeFactors: IconDeviceMobileOff,
  enable: IconUserCheck,
  disable: IconUserOff,
  remove: IconUserX,
} as const

/** Returns the actions offered for a user: those that the server does not refuse. */
export function getOfferedActions(
  { disabled, invited, secondFactors }: ManagedUser,
  isSelf: boolean,
): UserAction[] {
  const isOffered: Record<UserAction, boolean> = {
    edit: true,
    renew: invited && !disabled,
    removeFactors: secondFactors > 0,
    enable: disabled,
    disable: !disabled && !isSelf,
    remove: disabled && !isSelf,
  }
  return (Object.keys(isOffered) as UserAction[]).filter((action) => isOffered[action])
}

/** Returns the menu of a user: its label and actions. */
export function getUserMenu(
  t: TFunction,
  user: ManagedUser,
  isSelf: boolean,
  onAction: (action: UserAction, user: ManagedUser) => void,
): { label: string; actions: MenuAction[] } {
  const actions = getOfferedActions(user, isSelf).map((action) => ({
    key: action,
    label: t(`users:act.${action}`),
    icon: icons[action],
    onSelect: () => onAction(action, user),
  }))
  const viewAsActions =
    user.disabled || isSelf
      ? []
      : [{ key: 'viewAs', label: t('users:act.viewAs'), icon: IconEye, href: impersonateAddress(user) }]
  const dataAction = {
    key: 'data',
    label: t('users:act.data'),
    icon: IconFileDownload,
    href: `/v2/users/${encodeURIComponent(user.id)}/data`,
  }
  return {
    label: t('users:actionsOf', { email: user.email }),
    actions: [...actions, ...viewAsActions, dataAction],
  }
}
