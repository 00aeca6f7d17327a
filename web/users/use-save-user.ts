import { useState } from 'react'
import { getMe, getMyPermissions } from '#contract/identity.ts'
import {
  changePermissionsOn,
  changeUser,
  changeUserRoles,
  listUsers,
  type ManagedUser,
} from '#contract/users.ts'
import { useAct } from '#web/data/act.ts'
import { ApiError } from '#web/data/api-error.ts'
import { partsOf, type UserDraft, type UserPart } from './user-draft.ts'

interface Failed {
  part: UserPart['part']
  error: ApiError
}

/** Saves a changed user part by part and stops at the first that is refused: the parts before it are kept, and are not asked for again. */
export function useSaveUser(user: ManagedUser, onSaved: () => void) {
  const touches = [listUsers, getMe, getMyPermissions]
  const fields = useAct(changeUser, touches)
  const roles = useAct(changeUserRoles, touches)
  const keys = useAct(changePermissionsOn, touches)
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
