import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listRoles, type Role } from '#contract/users.ts'
import { useAnswer } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { AdminPage } from './admin-page.tsx'
import { DeleteRole } from './delete-role.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { RoleTable } from './role-table.tsx'

type Open = { kind: 'add' } | { kind: 'change' | 'delete'; role: Role }

export function RolesScreen() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Open | null>(null)
  const roles = useAnswer(listRoles, {})
  const close = () => setOpen(null)
  const add = (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setOpen({ kind: 'add' })}>
      {t('users:roles.add')}
    </Button>
  )
  return (
    <AdminPage page="roles" context={t('users:context.roles')} actions={add}>
      <Loaded
        of={roles}
        isEmpty={(found) => found.length === 0}
        empty={
          <EmptyState title={t('users:roles.empty.title')} action={add}>
            {t('users:roles.empty.text')}
          </EmptyState>
        }
      >
        {(found) => (
          <RoleTable
            roles={found}
            onChange={(role) => setOpen({ kind: 'change', role })}
            onDelete={(role) => setOpen({ kind: 'delete', role })}
          />
        )}
      </Loaded>
      {open?.kind === 'add' ? <RoleDialog changed={null} onClose={close} /> : null}
      {open?.kind === 'change' ? <RoleDialog changed={open.role} onClose={close} /> : null}
      {open?.kind === 'delete' ? <DeleteRole role={open.role} onClose={close} /> : null}
    </AdminPage>
  )
}
