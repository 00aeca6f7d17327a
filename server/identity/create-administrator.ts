import { randomBytes, randomUUID } from 'node:crypto'
import type { Config } from '#server/config.ts'
import type { State } from '#server/stores/state.ts'
import type { Auth } from './auth.ts'
import { createUser } from './create-user.ts'
import { makePasswordLink } from './make-password-link.ts'
import { systemScope } from './scope.ts'
import { createOrganization } from './standard-roles.ts'

/** How long the link is good. */
const validSeconds = 24 * 3600
const addressPattern = /^[^\s<>()[\]\\,;:"@]{1,64}@[^\s<>()[\]\\,;:"@]{1,255}$/u

export interface NewAdministrator {
  email: string
  name: string
  /** Name of the organization; may be null if there is one at most. */
  organization: string | null
}

/** An administrator cannot be created; the message says why. */
export class AdministratorError extends Error {
  override name = 'AdministratorError'
}

export interface CreatedAdministrator {
  email: string
  organization: string
  /** Whether the user was there before and has a new link only. */
  is_existing: boolean
  /** Where the password is chosen, once. */
  link: string
  expires: string
}

/**
 * Creates an administrator, and the first organization where there is none, for those who run the server. The password is
 * chosen at the link; whoever lost access gets a new one.
 */
export async function createAdministrator(
  { auth, state, config }: { auth: Auth; state: State; config: Pick<Config, 'publicUrl'> },
  { email, name, organization }: NewAdministrator,
  at: Date,
): Promise<CreatedAdministrator> {
  if (!addressPattern.test(email)) throw new AdministratorError(`'${email}' is no e-mail address.`)
  const store = state.as(systemScope)
  const existing = await store
    .selectFrom('user')
    .innerJoin('organization', 'organization.organization_id', 'user.organizationId')
    .select(['user.id', 'organization.name'])
    .where('user.email', '=', email.toLowerCase())
    .executeTakeFirst()
  const found = existing ? null : await findOrganization(state, organization)
  const userId =
    existing?.id ??
    (await createUser(
      auth,
      state,
      {
        email,
        name,
        // Nobody knows it: the first password is chosen at the link.
        password: randomBytes(24).toString('base64url'),
        organizationId: found?.id ?? '',
        role: 'administrator',
      },
      at,
    ))
  return {
    email: email.toLowerCase(),
    organization: existing?.name ?? found?.name ?? '',
    is_existing: existing !== undefined,
    link: await makePasswordLink(auth, config, userId, validSeconds, at),
    expires: new Date(at.getTime() + validSeconds * 1000).toISOString(),
  }
}

async function findOrganization(state: State, name: string | null): Promise<{ id: string; name: string }> {
  const store = state.as(systemScope)
  const all = await store.selectFrom('organization').select(['organization_id', 'name']).execute()
  const matching = name === null ? all : all.filter((each) => each.name === name)
  const [only, second] = matching
  if (only && !second) return { id: only.organization_id, name: only.name }
  if (all.length)
    throw new AdministratorError(
      `Name the organization with --organization, one of: ${all.map((each) => each.name).join(', ')}.`,
    )
  const created = { id: randomUUID(), name: name ?? 'My city' }
  await createOrganization(store, created.id, created.name)
  return created
}
