import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ManagedUser,
  changePermissionsOn,
  changeUser,
  changeUserRoles,
  listUsers,
} from '#contract/users.ts'
import { getMe, getMyPermissions } from '#contract/identity.ts'
import { getFieldIssues, ApiError } from '#web/data/api-error.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { KeySwitches } from './key-switches.tsx'
import { toUserDraft, type UserDraft, getUserChanges, type UserChange } from './user-draft.ts'
import { UserFields } from './user-fields.tsx'

interface FailedChange {
  part: UserChange['part']
  error: ApiError
}

/** Saves a user by one request per kind of change until one is refused; a retry sends only the rest. */
function useSaveUser(user: ManagedUser, onSaved: () => void) {
  const affectedQueries = [listUsers, getMe, getMyPermissions]
  const saveFields = useEndpointMutation(changeUser, affectedQueries)
  const saveRoles = useEndpointMutation(changeUserRoles, affectedQueries)
  const saveKeys = useEndpointMutation(changePermissionsOn, affectedQueries)
  const [failed, setFailed] = useState<FailedChange | null>(null)
  const [isPending, setIsPending] = useState(false)
  const sendChange = (userChange: UserChange): Promise<unknown> => {
    if (userChange.part === 'keys')
      return saveKeys.mutateAsync({ params: { obj_type: 'user', obj_id: user.id }, body: userChange.body })
    if (userChange.part === 'roles')
      return saveRoles.mutateAsync({ params: { user_id: user.id }, body: userChange.body })
    return saveFields.mutateAsync({ params: { user_id: user.id }, body: userChange.body })
  }
  const save = async (draft: UserDraft): Promise<void> => {
    setFailed(null)
    setIsPending(true)
    for (const userChange of getUserChanges(user, draft)) {
      try {
        await sendChange(userChange)
      } catch (saveError) {
        setIsPending(false)
        if (!(saveError instanceof ApiError)) throw saveError
        return setFailed({ part: userChange.part, error: saveError })
      }
    }
    setIsPending(false)
    onSaved()
  }
  return { save, isPending, failed }
}

/** Changes the name, operators, roles, individual permissions and regions of a user. */
export function UserDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => toUserDraft(user))
  const { save, isPending, failed } = useSaveUser(user, onClose)
  const issues = getFieldIssues(failed?.error)
  const updateDraft = (changes: Partial<UserDraft>) => setDraft({ ...draft, ...changes })
  return (
    <FormDialog
      size={560}
      title={user.email}
      onClose={onClose}
      gap="lg"
      action={t('kit:save')}
      isPending={isPending}
      error={failed?.error ?? null}
      errorTitle={failed ? t(`users:failed.${failed.part}`) : ''}
      onSubmit={() => {
        void save(draft)
      }}
    >
      <UserFields draft={draft} issues={issues} onChange={updateDraft} isFirst>
        <KeySwitches
          label={t('users:field.keys')}
          description={t('users:keysNote')}
          granted={draft.keys}
          onChange={(keys) => updateDraft({ keys })}
        />
      </UserFields>
    </FormDialog>
  )
}
