import { ActionIcon, Group } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Role } from '#contract/users.ts'
import { DataTable } from '#web/kit/data-table.tsx'
import type { TableColumn } from '#web/kit/table-column.ts'
import { keyNames } from './key-names.ts'

interface Props {
  roles: readonly Role[]
  onChange: (role: Role) => void
  onDelete: (role: Role) => void
}

export function RoleTable({ roles, onChange, onDelete }: Props) {
  const { t } = useTranslation()
  const columns: TableColumn<Role>[] = [
    { key: 'name', title: t('users:field.name'), width: 160, value: (role) => role.name },
    { key: 'keys', title: t('users:field.gives'), width: 320, value: (role) => keyNames(t, role) },
    {
      key: 'actions',
      title: t('users:actions'),
      isActions: true,
      width: 96,
      value: () => null,
      renderCell: (role) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <ActionIcon
            variant="subtle"
            aria-label={t('users:roles.change', { name: role.name })}
            onClick={() => onChange(role)}
          >
            <IconPencil size={18} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t('users:roles.delete', { name: role.name })}
            onClick={() => onDelete(role)}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      ),
    },
  ]
  return (
    <DataTable label={t('shell:pages.roles')} rows={roles} columns={columns} rowKey={(role) => role.id} />
  )
}
