import { randomUUID } from 'node:crypto'
import type { State, Store } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'
import type { Claims } from './read-claims.ts'
import { toAccountProvider, type ProviderRow } from './read-provider.ts'
import { SsoRefusal } from './sso.ts'

export interface SsoUser {
  id: string
  email: string
  organizationId: string
}

const makeRefusal = (reason: string): SsoRefusal => new SsoRefusal('SIGN_IN_REFUSED', reason)

interface SignIn {
  provider: ProviderRow
  claims: Claims
  at: Date
}

/**
 * Finds the user for a provider's claims: by the link from an earlier sign-in, or else by a verified e-mail
 * in the provider's domains. Otherwise creates the user, if the provider may create users. Never returns a
 * user of another organization.
 * @throws SsoRefusal.
 */
export async function findOrCreateUser(
  state: State,
  provider: ProviderRow,
  claims: Claims,
  at: Date,
): Promise<SsoUser> {
  const signIn: SignIn = { provider, claims, at }
  return state
    .as(systemScope)
    .transaction()
    .execute(async (store) => {
      const linkedUser = await findLinkedUser(store, signIn)
      if (linkedUser) return linkedUser
      const email = requireOwnEmail(signIn)
      return (await linkUserWithEmail(store, email, signIn)) ?? createLinkedUser(store, email, signIn)
    })
}

const selectUsers = (store: Store) =>
  store.selectFrom('user').select(['user.id', 'user.email', 'user.organizationId', 'user.disabled'])

/** Finds the user whom an earlier sign-in linked to the subject of the claims. */
async function findLinkedUser(store: Store, signIn: SignIn): Promise<SsoUser | null> {
  const providerId = toAccountProvider(signIn.provider.provider_id)
  const { subject } = signIn.claims
  const user = await selectUsers(store)
    .innerJoin('account', 'account.userId', 'user.id')
    .where('account.providerId', '=', providerId)
    .where('account.accountId', '=', subject)
    .executeTakeFirst()
  if (!user) return null
  await store
    .updateTable('account')
    .set({ updatedAt: signIn.at })
    .where('providerId', '=', providerId)
    .where('accountId', '=', subject)
    .execute()
  return admitUser(store, user, signIn)
}

/** Returns the verified e-mail of the claims, in one of the provider's domains. @throws SsoRefusal. */
function requireOwnEmail({ provider, claims: { email, emailVerified } }: SignIn): string {
  if (!email) throw makeRefusal('no e-mail')
  if (!emailVerified) throw makeRefusal('e-mail is not verified')
  if (!provider.email_domains.includes(email.slice(email.lastIndexOf('@') + 1)))
    throw makeRefusal('e-mail is of another domain')
  return email
}

/** Finds the user with an e-mail and links it to the subject of the claims. */
async function linkUserWithEmail(store: Store, email: string, signIn: SignIn): Promise<SsoUser | null> {
  const userWithEmail = await selectUsers(store).where('user.email', '=', email).executeTakeFirst()
  if (!userWithEmail) return null
  // If the user is linked to another subject, the provider has since given the address to someone else.
  const otherLink = await store
    .selectFrom('account')
    .select('id')
    .where('providerId', '=', toAccountProvider(signIn.provider.provider_id))
    .where('userId', '=', userWithEmail.id)
    .executeTakeFirst()
  if (otherLink) throw makeRefusal('e-mail belongs to another subject')
  const user = await admitUser(store, userWithEmail, signIn)
  await linkUser(store, user.id, signIn)
  return user
}

/** Creates a user with an e-mail, linked to the subject of the claims. @throws SsoRefusal if it may not. */
async function createLinkedUser(store: Store, email: string, signIn: SignIn): Promise<SsoUser> {
  const { provider, claims, at } = signIn
  if (!provider.creates_users) throw makeRefusal('no such user, and the provider creates none')
  const user = { id: randomUUID(), email, organizationId: provider.organization_id }
  await store
    .insertInto('user')
    .values({
      ...user,
      name: claims.name ?? email.slice(0, email.lastIndexOf('@')),
      emailVerified: true,
      image: null,
      permissionKeys: '',
      allRegions: true,
      acceptedTermsOfService: false,
      lastSignInTime: at,
      updatedAt: at,
    })
    .execute()
  await linkUser(store, user.id, signIn)
  return user
}

/** Records the sign-in of a user. @throws SsoRefusal if the user is disabled or of another organization. */
async function admitUser(
  store: Store,
  user: SsoUser & { disabled: boolean },
  { provider, at }: SignIn,
): Promise<SsoUser> {
  if (user.organizationId !== provider.organization_id) throw makeRefusal('user of another organization')
  if (user.disabled) throw makeRefusal('user is disabled')
  await store
    .updateTable('user')
    .set({ lastSignInTime: at, invited: false })
    .where('id', '=', user.id)
    .execute()
  return { id: user.id, email: user.email, organizationId: user.organizationId }
}

async function linkUser(store: Store, userId: string, { provider, claims, at }: SignIn): Promise<void> {
  await store
    .insertInto('account')
    .values({
      id: randomUUID(),
      accountId: claims.subject,
      providerId: toAccountProvider(provider.provider_id),
      userId,
      password: null,
      updatedAt: at,
    })
    .execute()
}
