import { randomBytes, randomUUID } from 'node:crypto'
import type { Config } from '#server/config.ts'
import type { State } from '#server/stores/state.ts'
import type { Auth } from './auth.ts'
import { createUser } from './create-user.ts'
import { createPasswordLink } from './create-password-link.ts'
import { systemScope } from './scope.ts'
import { createOrganization } from './standard-roles.ts'

/** Validity of the password link. */
const linkSeconds = 24 * 3600
const addressPattern = /^[^\s<>()[\]\\,;:"@]{1,64}@[^\s<>()[\]\\,;:"@]{1,255}$/u

export interface NewAdministrator {
  email: string
  name: string
  /** Name of the organization; may be null if there is at most one. */
  organization: string | null
}

/** An administrator cannot be created; the message says why. */
export class AdministratorError extends Error {
  override name = 'AdministratorError'
}

export interface CreatedAdministrator {
  email: string
  organization: string
  /** Whether the user existed before and only gets a new link. */
  is_existing: boolean
  /** URL at which the password is chosen; valid once. */
  link: string
  expires: string
}

/**
 * Creates an administrator, and an organization if there is none, for the operators of the server. The
 * password is chosen at the link. For an existing user, who may have lost access, only a new link is created.
 */
export async function createAdministrator(
  { auth, state, config }: { auth: Auth; state: State; config: Pick<Config, 'publicUrl'> },
  { email, name, organization }: NewAdministrator,
  at: Date,
): Promise<CreatedAdministrator> {
  if (!addressPattern.test(email)) throw new AdministratorError(`'${email}' is not an e-mail address.`)
  const store = state.as(systemScope)
  const existingUser = await store
    .selectFrom('user')
    .innerJoin('organization', 'organization.organization_id', 'user.organizationId')
    .select(['user.id', 'organization.name'])
    .where('user.email', '=', email.toLowerCase())
    .executeTakeFirst()
  const newUserOrganization = existingUser ? null : await findOrCreateOrganization(state, organization)
  const userId =
    existingUser?.id ??
    (await createUser(
      auth,
      state,
      {
        email,
        name,
        // A random password that nobody knows; the first real one is chosen at the link.
        password: randomBytes(24).toString('base64url'),
        organizationId: newUserOrganization?.id ?? '',
        role: 'administrator',
      },
      at,
    ))
  return {
    email: email.toLowerCase(),
    organization: existingUser?.name ?? newUserOrganization?.name ?? '',
    is_existing: existingUser !== undefined,
    link: await createPasswordLink(auth, config, { userId, validSeconds: linkSeconds, at }),
    expires: new Date(at.getTime() + linkSeconds * 1000).toISOString(),
  }
}

/** Finds the organization with this name, or the only one if `name` is null; creates one without any. */
async function findOrCreateOrganization(
  state: State,
  name: string | null,
): Promise<{ id: string; name: string }> {
  const store = state.as(systemScope)
  const organizations = await store.selectFrom('organization').select(['organization_id', 'name']).execute()
  const [match, otherMatch] = organizations.filter(
    (organization) => name === null || organization.name === name,
  )
  if (match && !otherMatch) return { id: match.organization_id, name: match.name }
  if (organizations.length)
    throw new AdministratorError(
      `Name the organization with --organization, one of: ${organizations.map((organization) => organization.name).join(', ')}.`,
    )
  const createdOrganization = { id: randomUUID(), name: name ?? 'My city' }
  await createOrganization(store, createdOrganization.id, createdOrganization.name)
  return createdOrganization
}
