import { Anchor, Checkbox, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { listRoles, type Role } from '#contract/users.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Loaded } from '#web/kit/loaded.tsx'

const standardRoles = ['Administrator', 'Planner', 'Viewer'] as const

/** Name of a role; the names of the standard roles of every organization are translated. */
export const roleName = (t: TFunction, name: string): string => {
  const standard = standardRoles.find((role) => role === name)
  return standard ? t(`users:roles.standard.${standard}`) : name
}

/** Returns the names of the permissions that a role grants. */
export const keyNames = (t: TFunction, { permissions }: Pick<Role, 'permissions'>): string =>
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
  const empty = (
    <Text size="sm" c="dimmed" mt="xs">
      {t('users:roles.noneYet')}{' '}
      <Anchor component={Link} to="/admin/roles" size="sm" underline="always">
        {t('users:roles.toRoles')}
      </Anchor>
    </Text>
  )
  return (
    <Checkbox.Group label={t('users:field.roles')} error={error} value={[...value]} onChange={onChange}>
      <Loaded query={roles} isEmpty={(loadedRoles) => loadedRoles.length === 0} empty={empty}>
        {(loadedRoles) => (
          <Stack gap="sm" mt="sm">
            {loadedRoles.map((role) => (
              <Checkbox
                key={role.id}
                value={role.id}
                label={roleName(t, role.name)}
                aria-label={roleName(t, role.name)}
                description={keyNames(t, role)}
              />
            ))}
          </Stack>
        )}
      </Loaded>
    </Checkbox.Group>
  )
}
