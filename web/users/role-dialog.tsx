import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getMyPermissions } from '#contract/identity.ts'
import { permissionKeys, type PermissionKey } from '#contract/permission.ts'
import { changePermissionsOn, createRole, listRoles, type Role } from '#contract/users.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { KeySwitches } from './key-switches.tsx'
import { getRoleName } from './role-choice.tsx'

interface Props {
  /** The role to change, without its name; null to create one. */
  existing: Role | null
  onClose: () => void
}

const getGrantedKeys = (role: Role | null): PermissionKey[] =>
  (role?.permissions ?? []).filter(({ enabled }) => enabled).map(({ key }) => key)

/** Creates or edits a role. */
export function RoleDialog({ existing: role, onClose }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [keys, setKeys] = useState(() => getGrantedKeys(role))
  const create = useEndpointMutation(createRole, [listRoles])
  const change = useEndpointMutation(changePermissionsOn, [listRoles, getMyPermissions])
  const error = create.error ?? change.error
  const save = () => {
    if (!role) return create.mutate({ body: { name: name.trim(), keys } }, { onSuccess: onClose })
    const storedKeys = getGrantedKeys(role)
    const permissions = permissionKeys
      .filter((key) => keys.includes(key) !== storedKeys.includes(key))
      .map((key) => ({ key, enabled: keys.includes(key) }))
    if (permissions.length === 0) return onClose()
    return change.mutate(
      { params: { obj_type: 'role', obj_id: role.id }, body: { permissions } },
      { onSuccess: onClose },
    )
  }
  return (
    <FormDialog
      size={560}
      title={role ? t('users:roles.change', { name: getRoleName(t, role.name) }) : t('users:roles.add')}
      onClose={onClose}
      action={t(role ? 'kit:save' : 'users:roles.create')}
      isPending={create.isPending || change.isPending}
      error={error}
      errorTitle={t('users:failed.role')}
      onSubmit={save}
    >
      {role ? null : (
        <TextInput
          data-autofocus
          label={t('users:field.name')}
          description={t('users:roles.nameNote')}
          required
          maxLength={60}
          error={getFieldIssues(error).get('name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <KeySwitches label={t('users:field.gives')} granted={keys} onChange={setKeys} />
    </FormDialog>
  )
}
