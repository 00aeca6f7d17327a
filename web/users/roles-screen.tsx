import { Button, ActionIcon, Group } from '@mantine/core'
import { IconPlus, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listRoles, type Role, deleteRole, listUsers } from '#contract/users.ts'
import { getMyPermissions } from '#contract/identity.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { AdminPage } from '#web/shell/admin-page.tsx'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { RoleDialog } from './role-dialog.tsx'
import { getKeyNames, getRoleName } from './role-choice.tsx'

interface Props {
  roles: readonly Role[]
  onChange: (role: Role) => void
  onDelete: (role: Role) => void
}

/** Roles with their permissions and actions. */
function RoleTable({ roles, onChange, onDelete }: Props) {
  const { t } = useTranslation()
  const columns: TableColumn<Role>[] = [
    column('name', t('users:field.name'), (role) => getRoleName(t, role.name), { width: 160 }),
    column('keys', t('users:field.gives'), (role) => getKeyNames(t, role), { width: 320 }),
    column('actions', t('users:actions'), () => null, {
      isActions: true,
      width: 96,
      renderCell: (role) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <ActionIcon
            variant="subtle"
            aria-label={t('users:roles.change', { name: getRoleName(t, role.name) })}
            onClick={() => onChange(role)}
          >
            <IconPencil size={18} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t('users:roles.delete', { name: getRoleName(t, role.name) })}
            onClick={() => onDelete(role)}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      ),
    }),
  ]
  return (
    <Table
      label={t('shell:pages.roles')}
      isWrapped
      rows={roles}
      columns={columns}
      rowKey={(role) => role.id}
    />
  )
}

function DeleteRoleDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const { t } = useTranslation()
  const remove = useEndpointMutation(deleteRole, [listRoles, listUsers, getMyPermissions])
  return (
    <ConfirmDialog
      title={t('users:roles.delete', { name: getRoleName(t, role.name) })}
      action={t('kit:delete')}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { role_id: role.id } },
          {
            onSuccess: () => {
              showToast(t('kit:did.deleted', { name: getRoleName(t, role.name) }))
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      {t('users:roles.deleteText')}
    </ConfirmDialog>
  )
}

type OpenDialog = { kind: 'add' } | { kind: 'change' | 'delete'; role: Role }

export function RolesScreen() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const roles = useEndpointQuery(listRoles, {})
  const close = () => setOpen(null)
  const addButton = (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setOpen({ kind: 'add' })}>
      {t('users:roles.add')}
    </Button>
  )
  return (
    <AdminPage page="roles" context={t('users:context.roles')} actions={addButton}>
      <Loaded
        query={roles}
        isEmpty={(loadedRoles) => loadedRoles.length === 0}
        empty={
          <EmptyState title={t('users:roles.empty.title')} action={addButton}>
            {t('users:roles.empty.text')}
          </EmptyState>
        }
      >
        {(loadedRoles) => (
          <RoleTable
            roles={loadedRoles}
            onChange={(role) => setOpen({ kind: 'change', role })}
            onDelete={(role) => setOpen({ kind: 'delete', role })}
          />
        )}
      </Loaded>
      {open?.kind === 'add' ? <RoleDialog existing={null} onClose={close} /> : null}
      {open?.kind === 'change' ? <RoleDialog existing={open.role} onClose={close} /> : null}
      {open?.kind === 'delete' ? <DeleteRoleDialog role={open.role} onClose={close} /> : null}
    </AdminPage>
  )
}
