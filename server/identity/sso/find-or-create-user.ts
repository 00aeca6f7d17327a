import { randomUUID } from 'node:crypto'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'
import type { Claims } from './read-claims.ts'
import { accountProvider, type ProviderRow } from './read-provider.ts'
import { SsoRefusal } from './sso-refusal.ts'

export interface EnteringUser {
  id: string
  email: string
  organizationId: string
}

const refused = (reason: string): SsoRefusal => new SsoRefusal('SIGN_IN_REFUSED', reason)

/**
 * The user of this site whom a provider names: by the account of an earlier sign-in, else by a verified e-mail in the provider's
 * domains, else a new one where the provider may create users. Never one of another organization. Throws SsoRefusal.
 */
export async function findOrCreateUser(
  state: State,
  provider: ProviderRow,
  claims: Claims,
  at: Date,
): Promise<EnteringUser> {
  const providerId = accountProvider(provider.provider_id)
  const { subject, email } = claims
  return state
    .as(systemScope)
    .transaction()
    .execute(async (store) => {
      const users = store
        .selectFrom('user')
        .select(['user.id', 'user.email', 'user.organizationId', 'user.disabled'])
      const enter = async (user: {
        id: string
        email: string
        organizationId: string
        disabled: boolean
      }): Promise<EnteringUser> => {
        if (user.organizationId !== provider.organization_id) throw refused('user of another organization')
        if (user.disabled) throw refused('user is disabled')
        await store
          .updateTable('user')
          .set({ lastSignInTime: at, invited: false })
          .where('id', '=', user.id)
          .execute()
        return { id: user.id, email: user.email, organizationId: user.organizationId }
      }
      const linked = await users
        .innerJoin('account', 'account.userId', 'user.id')
        .where('account.providerId', '=', providerId)
        .where('account.accountId', '=', subject)
        .executeTakeFirst()
      if (linked) {
        await store
          .updateTable('account')
          .set({ updatedAt: at })
          .where('providerId', '=', providerId)
          .where('accountId', '=', subject)
          .execute()
        return enter(linked)
      }
      if (!email) throw refused('no e-mail')
      if (!claims.emailVerified) throw refused('e-mail is not verified')
      if (!provider.email_domains.includes(email.slice(email.lastIndexOf('@') + 1)))
        throw refused('e-mail is of another domain')
      const link = (userId: string) =>
        store
          .insertInto('account')
          .values({ id: randomUUID(), accountId: subject, providerId, userId, password: null, updatedAt: at })
          .execute()
      const known = await users.where('user.email', '=', email).executeTakeFirst()
      if (known) {
        // The provider has given the address to somebody else since.
        if (
          await store
            .selectFrom('account')
            .select('id')
            .where('providerId', '=', providerId)
            .where('userId', '=', known.id)
            .executeTakeFirst()
        )
          throw refused('e-mail belongs to another subject')
        const user = await enter(known)
        await link(user.id)
        return user
      }
      if (!provider.creates_users) throw refused('no such user, and the provider creates none')
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
      await link(user.id)
      return user
    })
}
