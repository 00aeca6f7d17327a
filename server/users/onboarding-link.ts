import { Problem } from '#server/http/problem.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Makes the address where a user chooses a password; it holds a token for one use. */
export type PasswordLink = (userId: string, validSeconds: number, at: Date) => Promise<string>

const validSeconds = 3600

/** The link of an open invitation. Who asks is nobody yet: the uuid is the only key. */
export async function onboardingLink(
  state: State,
  passwordLink: PasswordLink,
  uuid: string,
  at: Date,
): Promise<{ link: string; email: string }> {
  const invited = await state
    .as(systemScope)
    .selectFrom('invitation')
    .innerJoin('user', 'user.id', 'invitation.user_id')
    .select(['user.id', 'user.email'])
    .where('invitation.onboarding_uuid', '=', uuid)
    .where('invitation.expires_time', '>', at)
    .where('user.invited', '=', true)
    .where('user.disabled', '=', false)
    .executeTakeFirst()
  if (!invited)
    throw new Problem(
      'not_found',
      'This invitation is over. Ask an administrator of your organization for a new one.',
    )
  return { link: await passwordLink(invited.id, validSeconds, at), email: invited.email }
}
