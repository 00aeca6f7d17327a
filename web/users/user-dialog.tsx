import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ManagedUser,
  changePermissionsOn,
  changeUser,
  changeUserRoles,
  listUsers,
} from '#contract/users.ts'
import { fieldIssues, ApiError } from '#web/data/api-error.ts'
import { KeySwitches } from './key-switches.tsx'
import { userDraftOf, type UserDraft, partsOf, type UserPart } from './user-draft.ts'
import { UserFields } from './user-fields.tsx'
import { getMe, getMyPermissions } from '#contract/identity.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'

interface Failed {
  part: UserPart['part']
  error: ApiError
}

/** Saves a changed user part by part and stops at the first that is refused: the parts before it are kept, and are not asked for again. */
function useSaveUser(user: ManagedUser, onSaved: () => void) {
  const touches = [listUsers, getMe, getMyPermissions]
  const fields = useEndpointMutation(changeUser, touches)
  const roles = useEndpointMutation(changeUserRoles, touches)
  const keys = useEndpointMutation(changePermissionsOn, touches)
  const [failed, setFailed] = useState<Failed | null>(null)
  const [isPending, setPending] = useState(false)

  const ask = (each: UserPart): Promise<unknown> => {
    if (each.part === 'keys')
      return keys.mutateAsync({ params: { obj_type: 'user', obj_id: user.id }, body: each.body })
    if (each.part === 'roles') return roles.mutateAsync({ params: { user_id: user.id }, body: each.body })
    return fields.mutateAsync({ params: { user_id: user.id }, body: each.body })
  }

  const save = async (draft: UserDraft): Promise<void> => {
    setFailed(null)
    setPending(true)
    for (const each of partsOf(user, draft)) {
      try {
        await ask(each)
      } catch (caught) {
        setPending(false)
        if (!(caught instanceof ApiError)) throw caught
        return setFailed({ part: each.part, error: caught })
      }
    }
    setPending(false)
    onSaved()
  }

  return { save, isPending, failed }
}

/** Name, operators, roles, own permissions and regions of a user. */
export function UserDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => userDraftOf(user))
  const { save, isPending, failed } = useSaveUser(user, onClose)
  const issues = fieldIssues(failed?.error)
  const set = (part: Partial<UserDraft>) => setDraft({ ...draft, ...part })

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
      <UserFields draft={draft} issues={issues} onChange={set} isFirst>
        <KeySwitches
          label={t('users:field.keys')}
          description={t('users:keysNote')}
          held={draft.keys}
          onChange={(keys) => set({ keys })}
        />
      </UserFields>
    </FormDialog>
  )
}
