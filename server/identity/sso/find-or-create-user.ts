import { randomUUID } from 'node:crypto'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'
import type { Claims } from './read-claims.ts'
import { accountProvider, type ProviderRow } from './read-provider.ts'
import { SsoRefusal } from './sso.ts'

export interface SsoUser {
  id: string
  email: string
  organizationId: string
}

const refusal = (reason: string): SsoRefusal => new SsoRefusal('SIGN_IN_REFUSED', reason)

/**
 * Finds the user for a provider's claims: by the link from an earlier sign-in, or else by a verified e-mail
 * in the provider's domains. Otherwise creates the user, if the provider may create users. Never returns a
 * user of another organization. Throws SsoRefusal.
 */
export async function findOrCreateUser(
  state: State,
  provider: ProviderRow,
  claims: Claims,
  at: Date,
): Promise<SsoUser> {
  const providerId = accountProvider(provider.provider_id)
  const { subject, email } = claims
  return state
    .as(systemScope)
    .transaction()
    .execute(async (store) => {
      const users = store
        .selectFrom('user')
        .select(['user.id', 'user.email', 'user.organizationId', 'user.disabled'])
      const signIn = async (user: {
        id: string
        email: string
        organizationId: string
        disabled: boolean
      }): Promise<SsoUser> => {
        if (user.organizationId !== provider.organization_id) throw refusal('user of another organization')
        if (user.disabled) throw refusal('user is disabled')
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
        return signIn(linked)
      }
      if (!email) throw refusal('no e-mail')
      if (!claims.emailVerified) throw refusal('e-mail is not verified')
      if (!provider.email_domains.includes(email.slice(email.lastIndexOf('@') + 1)))
        throw refusal('e-mail is of another domain')
      const link = (userId: string) =>
        store
          .insertInto('account')
          .values({ id: randomUUID(), accountId: subject, providerId, userId, password: null, updatedAt: at })
          .execute()
      const userWithEmail = await users.where('user.email', '=', email).executeTakeFirst()
      if (userWithEmail) {
        // If the user is linked to another subject, the provider has since given the address to someone else.
        if (
          await store
            .selectFrom('account')
            .select('id')
            .where('providerId', '=', providerId)
            .where('userId', '=', userWithEmail.id)
            .executeTakeFirst()
        )
          throw refusal('e-mail belongs to another subject')
        const user = await signIn(userWithEmail)
        await link(user.id)
        return user
      }
      if (!provider.creates_users) throw refusal('no such user, and the provider creates none')
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
