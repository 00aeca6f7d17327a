import type { Config } from '#server/config.ts'
import type { State } from '#server/stores/state.ts'
import type { Auth } from './auth.ts'
import { createAdministrator, type CreatedAdministrator } from './create-administrator.ts'
import { systemScope } from './scope.ts'

const firstEmail = 'admin@publicway.local'

/**
 * Creates the first administrator, with a link at which to choose a password, if there are no users yet. If
 * this administrator is the only user and never signed in, creates a new link. Otherwise returns null. The
 * link is valid once; no password is ever printed.
 */
export async function createFirstUser(
  { auth, state, config }: { auth: Auth; state: State; config: Pick<Config, 'publicUrl'> },
  at: Date,
): Promise<CreatedAdministrator | null> {
  const users = await state
    .as(systemScope)
    .selectFrom('user')
    .select(['email', 'lastSignInTime'])
    .limit(2)
    .execute()
  const [user, otherUser] = users
  const isUnused = user?.email === firstEmail && user.lastSignInTime === null && !otherUser
  if (user && !isUnused) return null
  return createAdministrator(
    { auth, state, config },
    { email: firstEmail, name: 'Administrator', organization: null },
    at,
  )
}
