import { randomUUID } from 'node:crypto'
import type { PermissionKey } from '#contract/permission.ts'
import type { State } from '#server/stores/state.ts'
import type { Auth } from './auth.ts'
import { formatPermissionKeys } from './permission-keys'
import { systemScope } from './scope.ts'

export interface NewUser {
  email: string
  name: string
  password: string
  organizationId: string
  permissions: readonly PermissionKey[]
  /** Sign-ins that are handed out with the software take the terms as read. */
  acceptedTermsOfService?: boolean
}

/** Adds a user with an e-mail and password credential; the system's own act (nobody can sign up). Answers the id; an e-mail that exists is left as it is. */
export async function createUser(auth: Auth, state: State, user: NewUser, at: Date): Promise<string> {
  const { password: hashing } = await auth.$context
  const hash = await hashing.hash(user.password)
  return state
    .as(systemScope)
    .transaction()
    .execute(async (store) => {
      const email = user.email.toLowerCase()
      const there = await store.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
      if (there) return there.id
      const id = randomUUID()
      await store
        .insertInto('user')
        .values({
          id,
          email,
          name: user.name,
          emailVerified: true,
          image: null,
          organizationId: user.organizationId,
          permissionKeys: formatPermissionKeys(user.permissions),
          acceptedTermsOfService: user.acceptedTermsOfService ?? false,
          updatedAt: at,
        })
        .execute()
      await store
        .insertInto('account')
        .values({
          id: randomUUID(),
          accountId: id,
          providerId: 'credential',
          userId: id,
          password: hash,
          updatedAt: at,
        })
        .execute()
      return id
    })
}
