import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import { isAdministeredBy, requireAdministered } from './administer.ts'

interface ImpersonatedUser {
  user_id: string
  user_email: string
}

/**
 * Checks that an administrator may impersonate a user, who must be enabled, administered by the viewer, and
 * identified by both id and e-mail.
 */
export async function startImpersonation(
  state: State,
  viewer: Viewer,
  target: ImpersonatedUser,
): Promise<ImpersonatedUser> {
  if (viewer.admin) throw new Problem('conflict', 'End the session as the other user first.')
  if (target.user_id === viewer.userId) throw new Problem('validation_error', 'user_id: You are this user.')
  const user = await state
    .as(viewer.scope)
    .selectFrom('user')
    .select(['id', 'email'])
    .where('id', '=', target.user_id)
    .where('email', '=', target.user_email.toLowerCase())
    .where('disabled', '=', false)
    .where(isAdministeredBy(viewer))
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such user in your organization.'))
  await requireAdministered(state, viewer, user.id)
  return { user_id: user.id, user_email: user.email }
}
