import { randomUUID } from 'node:crypto'
import { permissionKeys } from '#contract/permission.ts'
import type { State } from '#server/stores/state.ts'
import type { Auth } from './auth.ts'
import { createUser } from './create-user.ts'
import { systemScope } from './scope.ts'

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
  await store
    .insertInto('organization')
    .values({ organization_id: organizationId, name: 'My city', type: 'city' })
    .execute()
  await createUser(
    auth,
    state,
    { email, name: 'Administrator', password, organizationId, permissions: permissionKeys },
    at,
  )
  return { email }
}
