import { randomUUID } from 'node:crypto'
import type { State } from '#server/stores/state.ts'
import type { Auth } from './auth.ts'
import { createUser } from './create-user.ts'
import { systemScope } from './scope.ts'
import { createOrganization } from './standard-roles.ts'

/** Creates an organization with an administrator if there is no user yet; else returns null. */
export async function makeFirstUser(
  auth: Auth,
  state: State,
  password: string,
  at: Date,
): Promise<{ email: string } | null> {
  const store = state.as(systemScope)
  if (await store.selectFrom('user').select('id').limit(1).executeTakeFirst()) return null
  const organizationId = randomUUID()
  const email = 'admin@publicway.local'
  await createOrganization(store, organizationId, 'My city')
  await createUser(
    auth,
    state,
    { email, name: 'Administrator', password, organizationId, role: 'administrator' },
    at,
  )
  return { email }
}
