import type { Selectable } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type EnrolledFactor, Language, type User } from '#contract/identity.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { State, Store } from '#server/stores/state.ts'
import { systemScope } from './scope.ts'

/** Masks all but the last two digits of a phone number. */
export const maskPhone = (number: string): string =>
  `${'•'.repeat(Math.max(0, number.length - 2))}${number.slice(-2)}`

const factorColumns = ['factor_id', 'kind', 'phone_number', 'enrolled_time'] as const
type FactorRow = Pick<Selectable<StateTables['enrolled_factor']>, (typeof factorColumns)[number]>

/** Times in JSON are text. */
type JsonFactorRow = Omit<FactorRow, 'enrolled_time'> & { enrolled_time: Date | string }

const toFactor = (row: JsonFactorRow): EnrolledFactor => ({
  id: row.factor_id,
  kind: row.kind,
  displayName: row.phone_number ? maskPhone(row.phone_number) : 'Authenticator app',
  enrolledTime: new Date(row.enrolled_time).toISOString(),
})

const selectFactors = (store: Store, userId: string) =>
  store
    .selectFrom('enrolled_factor')
    .select(factorColumns)
    .where('user_id', '=', userId)
    .orderBy('enrolled_time')
    .orderBy('factor_id')

/** Finds the second factors of a user in the order of enrollment. */
export async function findFactors(state: State, userId: string): Promise<EnrolledFactor[]> {
  const rows = await selectFactors(state.as(systemScope), userId).execute()
  return rows.map(toFactor)
}

/** Finds the viewer's user record; during impersonation, the impersonated user's with the administrator. */
export async function findUser(state: State, viewer: Viewer): Promise<User> {
  const store = state.as(systemScope)
  // One statement, because the web app reads it with every page.
  const row = await store
    .selectFrom('user')
    .selectAll()
    .select(({ selectFrom }) => [
      jsonArrayFrom(
        selectFrom('account').select('providerId').where('userId', '=', viewer.userId).orderBy('providerId'),
      ).as('accounts'),
      jsonArrayFrom(selectFactors(store, viewer.userId)).as('factors'),
    ])
    .where('id', '=', viewer.userId)
    .where('organizationId', '=', viewer.organizationId)
    .executeTakeFirstOrThrow()
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    organizationId: row.organizationId,
    acceptedTermsOfService: row.acceptedTermsOfService,
    providerData: row.accounts.map(({ providerId }) => ({
      providerId: providerId === 'credential' ? 'password' : providerId,
    })),
    enrolledFactors: row.factors.map(toFactor),
    operators: row.operators,
    regionIds: viewer.allRegions ? null : [...(viewer.scope.regionIds ?? [])],
    mfaRequired: viewer.mfaEnrollmentRequired,
    impersonatedBy: viewer.admin ? { user_id: viewer.admin.userId, user_email: viewer.admin.email } : null,
  }
}

/**
 * Changes the name, language or acceptance of terms of the signed-in user.
 * @throws Problem `forbidden` during impersonation.
 */
export async function changeOwnSettings(
  state: State,
  viewer: Viewer,
  change: {
    name?: string | undefined
    acceptedTermsOfService?: boolean | undefined
    language?: Language | undefined
  },
): Promise<User> {
  if (viewer.admin)
    throw new Problem(
      'forbidden',
      'Settings of a user are the user’s own: end the session in another’s name first.',
    )
  const fields = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  if (Object.keys(fields).length)
    await state.as(viewer.scope).updateTable('user').set(fields).where('id', '=', viewer.userId).execute()
  return findUser(state, viewer)
}

/** Finds the language in which a user receives mails: the one last chosen for the screens. */
export async function findLanguage(state: State, userId: string): Promise<Language> {
  const row = await state
    .as(systemScope)
    .selectFrom('user')
    .select('language')
    .where('id', '=', userId)
    .executeTakeFirst()
  return Language.catch('en-US').parse(row?.language)
}

/** Finds the language of a mail to several addresses: that of the first user, or else `fallback`. */
export async function findLanguageOfEmails(
  state: State,
  emails: readonly string[],
  fallback: Language = 'en-US',
): Promise<Language> {
  const rows = await state
    .as(systemScope)
    .selectFrom('user')
    .select(['email', 'language'])
    .where(
      'email',
      'in',
      emails.map((email) => email.toLowerCase()),
    )
    .execute()
  const languageByEmail = new Map(rows.map(({ email, language }) => [email, language]))
  return Language.catch(fallback).parse(
    emails
      .map((email) => languageByEmail.get(email.toLowerCase()))
      .find((language) => language !== undefined),
  )
}
