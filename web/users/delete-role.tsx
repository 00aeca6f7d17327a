import { useTranslation } from 'react-i18next'
import { getMyPermissions } from '#contract/identity.ts'
import { deleteRole, listRoles, listUsers, type Role } from '#contract/users.ts'
import { useAct } from '#web/data/act.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'

/** Asks before a role goes, and its permissions with it. */
export function DeleteRole({ role, onClose }: { role: Role; onClose: () => void }) {
  const { t } = useTranslation()
  const remove = useAct(deleteRole, [listRoles, listUsers, getMyPermissions])
  return (
    <ConfirmDialog
      title={t('users:roles.delete', { name: role.name })}
      action={t('kit:delete')}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { role_id: role.id } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('users:roles.deleteText')}
    </ConfirmDialog>
  )
}
