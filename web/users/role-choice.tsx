import { Anchor, Checkbox, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { listRoles, type Role } from '#contract/users.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Loaded } from '#web/kit/loaded.tsx'

const standardRoles = ['Administrator', 'Planner', 'Viewer'] as const

/** Returns the name of a role; those of the standard roles of every organization are translated. */
export const getRoleName = (t: TFunction, name: string): string => {
  const standardRole = standardRoles.find((role) => role === name)
  return standardRole ? t(`users:roles.standard.${standardRole}`) : name
}

/** Returns the names of the permissions that a role grants. */
export const getKeyNames = (t: TFunction, { permissions }: Pick<Role, 'permissions'>): string =>
  permissions
    .filter(({ enabled }) => enabled)
    .map(({ key }) => t(`users:key.${key}.name`))
    .join(', ') || t('users:roles.gives')

interface Props {
  value: readonly string[]
  error: string | undefined
  onChange: (roleIds: string[]) => void
}

/** The roles of a user, with the permissions that each grants. */
export function RoleChoice({ value, error, onChange }: Props) {
  const { t } = useTranslation()
  const roles = useEndpointQuery(listRoles, {})
  const emptyNote = (
    <Text size="sm" c="dimmed" mt="xs">
      {t('users:roles.noneYet')}{' '}
      <Anchor component={Link} to="/admin/roles" size="sm" underline="always">
        {t('users:roles.toRoles')}
      </Anchor>
    </Text>
  )
  return (
    <Checkbox.Group label={t('users:field.roles')} error={error} value={[...value]} onChange={onChange}>
      <Loaded query={roles} isEmpty={(loadedRoles) => loadedRoles.length === 0} empty={emptyNote}>
        {(loadedRoles) => (
          <Stack gap="sm" mt="sm">
            {loadedRoles.map((role) => (
              <Checkbox
                key={role.id}
                value={role.id}
                label={getRoleName(t, role.name)}
                aria-label={getRoleName(t, role.name)}
                description={getKeyNames(t, role)}
              />
            ))}
          </Stack>
        )}
      </Loaded>
    </Checkbox.Group>
  )
}
