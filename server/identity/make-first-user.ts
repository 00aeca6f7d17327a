import type { Config } from '#server/config.ts'
import type { State } from '#server/stores/state.ts'
import type { Auth } from './auth.ts'
import { createAdministrator, type CreatedAdministrator } from './create-administrator.ts'
import { systemScope } from './scope.ts'

const firstEmail = 'admin@publicway.local'

/**
 * The first administrator, with a link to choose a password, if there is no user yet, or nobody but this one, who never signed in; else null.
 * The link works once; no password is made that somebody could read.
 */
export async function makeFirstUser(
  { auth, state, config }: { auth: Auth; state: State; config: Pick<Config, 'publicUrl'> },
  at: Date,
): Promise<CreatedAdministrator | null> {
  const users = await state
    .as(systemScope)
    .selectFrom('user')
    .select(['email', 'lastSignInTime'])
    .limit(2)
    .execute()
  const isWaiting = users.length === 1 && users[0]?.email === firstEmail && users[0].lastSignInTime === null
  if (users.length && !isWaiting) return null
  return createAdministrator(
    { auth, state, config },
    { email: firstEmail, name: 'Administrator', organization: null },
    at,
  )
}
