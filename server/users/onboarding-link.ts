import { Problem } from '#server/http/problem.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Creates a URL at which a user chooses a password. Its token is valid once. */
export type CreatePasswordLink = (link: { userId: string; validSeconds: number; at: Date }) => Promise<string>

/** Validity of the password link. */
const validSeconds = 3600

/** Creates the password link of an open invitation. The UUID is the only credential of the caller. */
export async function getOnboardingLink(
  state: State,
  createPasswordLink: CreatePasswordLink,
  uuid: string,
  at: Date,
): Promise<{ link: string; email: string }> {
  const user = await state
    .as(systemScope)
    .selectFrom('invitation')
    .innerJoin('user', 'user.id', 'invitation.user_id')
    .select(['user.id', 'user.email'])
    .where('invitation.onboarding_uuid', '=', uuid)
    .where('invitation.expires_time', '>', at)
    .where('user.invited', '=', true)
    .where('user.disabled', '=', false)
    .executeTakeFirst()
  if (!user)
    throw new Problem(
      'not_found',
      'This invitation is over. Ask an administrator of your organization for a new one.',
    )
  return { link: await createPasswordLink({ userId: user.id, validSeconds, at }), email: user.email }
}
