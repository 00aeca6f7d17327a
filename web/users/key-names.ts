import type { TFunction } from 'i18next'
import type { Role } from '#contract/users.ts'

/** The permissions that a role gives, in words. */
export const keyNames = (t: TFunction, { permissions }: Pick<Role, 'permissions'>): string =>
  permissions
    .filter(({ enabled }) => enabled)
    .map(({ key }) => t(`users:key.${key}.name`))
    .join(', ') || t('users:roles.gives')
