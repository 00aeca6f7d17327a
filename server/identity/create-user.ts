import { randomUUID } from 'node:crypto'
import type { PermissionKey } from '#contract/permission.ts'
import type { State } from '#server/stores/state.ts'
import type { Auth } from './auth.ts'
import { formatPermissionKeys } from './permission-keys.ts'
import { systemScope } from './scope.ts'
import { giveStandardRole, type StandardRole } from './standard-roles.ts'

export interface NewUser {
  email: string
  name: string
  password: string
  organizationId: string
  /** Permissions in addition to those of the role. */
  permissions?: readonly PermissionKey[]
  role?: StandardRole
  /** Whether the terms of service count as accepted, as for users of the demo. */
  acceptedTermsOfService?: boolean
}

/** Creates a user with a password and returns the id. An existing user with this e-mail is not changed. */
export async function createUser(auth: Auth, state: State, user: NewUser, at: Date): Promise<string> {
  const { password: hashing } = await auth.$context
  const hash = await hashing.hash(user.password)
  return state
    .as(systemScope)
    .transaction()
    .execute(async (store) => {
      const email = user.email.toLowerCase()
      const existingUser = await store
        .selectFrom('user')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirst()
      if (existingUser) return existingUser.id
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
          permissionKeys: formatPermissionKeys(user.permissions ?? []),
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
      if (user.role) await giveStandardRole(store, user.organizationId, id, user.role)
      return id
    })
}
