import { betterAuth, type BetterAuthPlugin } from 'better-auth'
import { maxPasswordLength, minPasswordLength } from '#contract/password-rules.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import { APIError, createAuthEndpoint, isAPIError } from 'better-auth/api'
import { bearer, twoFactor } from 'better-auth/plugins'
import { auditCredential } from './audit-credential.ts'
import type { AuthParts } from './auth-parts.ts'
import { getAddress, freshMinutes } from './credentials/auth-context.ts'
import { createCredentialsPlugin } from './credentials/credentials-plugin.ts'
import { createSecondFactorOptions } from './second-factor/second-factor-options.ts'
import { SignInAttempts } from './credentials/sign-in-attempts.ts'
import { consumeRateLimit } from './rate-limit.ts'
import type { State } from '#server/stores/state.ts'
import { createAuthError } from './auth-errors.ts'
import { systemScope } from './scope.ts'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { revokeCredentials } from './revoke-credentials.ts'
import { mailUser } from './credentials/mail-user.ts'

/** Completes a password reset: accepts the invitation, resets delays of sign-ins, and notifies the user. */
async function handlePasswordReset(
  parts: AuthParts,
  attempts: SignInAttempts,
  user: { id: string; email: string },
  address: string | null,
): Promise<void> {
  const at = parts.now()
  await parts.state
    .as(systemScope)
    .updateTable('user')
    .set({ invited: false, emailVerified: true })
    .where('id', '=', user.id)
    .execute()
  await revokeCredentials(parts.state, user.id)
  await attempts.succeed({ email: user.email, address: null }, at)
  await auditCredential(parts.state, user.id, {
    action: 'password reset',
    path: '/reset-password',
    address,
    at,
  })
  mailUser(parts, user.id, (texts) => texts.passwordChanged())
}

/** Creates the plugin that opens a session for a user whom a provider identified. Only for the server. */
const enterPlugin = () =>
  ({
    id: 'single-sign-on',
    endpoints: {
      enterBySingleSignOn: createAuthEndpoint.serverOnly(
        { method: 'POST', body: z.object({ userId: z.string() }) },
        async (context) => {
          const { internalAdapter } = context.context
          const user = await internalAdapter.findUserById(context.body.userId)
          const session = user && (await internalAdapter.createSession(user.id))
          if (!session) throw new APIError('UNAUTHORIZED')
          await setSessionCookie(context, { session, user })
          return { entered: true }
        },
      ),
    },
  }) satisfies BetterAuthPlugin

/** Refuses sessions of a disabled user, as for a wrong password, so that the account is not disclosed. */
async function refuseDisabled(state: State, userId: string): Promise<void> {
  const user = await state
    .as(systemScope)
    .selectFrom('user')
    .select('disabled')
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user || user.disabled) throw createAuthError('INVALID_EMAIL_OR_PASSWORD')
}

/** Lists both origins of the requested host; none for a pattern, because an asterisk would match any. */
const listOrigins = (host: string): string[] =>
  /^[\w.:[\]-]+$/.test(host) ? [`http://${host}`, `https://${host}`] : []

async function auditSignOut(
  { state, now }: AuthParts,
  userId: string,
  ctx: (Parameters<typeof getAddress>[0] & { path?: string }) | null,
): Promise<void> {
  if (ctx?.path === '/sign-out')
    await auditCredential(state, userId, {
      action: 'sign-out',
      path: ctx.path,
      address: getAddress(ctx),
      at: now(),
    })
}

/** Counts calls in the state store, for all servers. */
const createRateLimits = ({ state, now }: AuthParts) => ({
  async consume(key: string, { window, max }: { window: number; max: number }) {
    const action = { key: `address:${key}`, maxCount: max, windowMs: window * 1000 }
    const seconds = await consumeRateLimit(state, action, now())
    return { allowed: seconds === 0, retryAfter: seconds || null }
  },
})

/** Calls per address and window (s) by path; `*` matches any suffix. Endpoints limit calls per account. */
const rateLimits = {
  '/sign-in/email': { window: 60, max: 10 },
  '/request-password-reset': { window: 60, max: 5 },
  '/reset-password': { window: 60, max: 10 },
  '/change-password': { window: 60, max: 10 },
  '/two-factor/send-otp': { window: 60, max: 5 },
  '/two-factor/*': { window: 60, max: 15 },
  '/multi-factor/phone/start': { window: 60, max: 5 },
  '/multi-factor/**': { window: 60, max: 15 },
}

/** Opens sign-in: password, second factors, cookie or bearer token. For its paths, see `serve-auth.ts`. */
export async function openAuth(parts: AuthParts) {
  const { state, config, secretBox, log } = parts
  const attempts = new SignInAttempts(state, secretBox)
  /** The e-mail address of the account for which a request has reset the password, by request. */
  const resetEmails = new WeakMap<Request, string>()
  return betterAuth({
    appName: 'Publicway',
    secret: secretBox.derive('sign-in'),
    baseURL: config.publicUrl,
    basePath: '/api/auth',
    // Only pages of the requested host itself are trusted.
    trustedOrigins: (request) => listOrigins(request?.headers.get('host') ?? ''),
    database: { db: state.library, type: 'postgres' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength,
      maxPasswordLength,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: async ({ user }, request) => {
        await handlePasswordReset(parts, attempts, user, getAddress({ request }))
        if (request) resetEmails.set(request, user.email)
      },
    },
    // Hashed, so that read access to the table discloses no usable links or challenges.
    verification: { storeIdentifier: 'hashed' },
    user: {
      additionalFields: {
        organizationId: { type: 'string', required: true, input: false },
        acceptedTermsOfService: { type: 'boolean', required: false, input: false, defaultValue: false },
        permissionKeys: { type: 'string', required: false, input: false, defaultValue: '' },
        disabled: { type: 'boolean', required: false, input: false, defaultValue: false },
      },
    },
    // In seconds.
    session: { expiresIn: 7 * 24 * 3600, updateAge: 3600, freshAge: freshMinutes * 60 },
    databaseHooks: {
      session: {
        create: { before: (session) => refuseDisabled(state, session.userId) },
        delete: { after: (session, ctx) => auditSignOut(parts, session.userId, ctx) },
      },
    },
    rateLimit: {
      enabled: true,
      window: 60,
      max: 300,
      customRules: rateLimits,
      customStorage: createRateLimits(parts),
    },
    // Set explicitly: by default, the library disables these checks if NODE_ENV or TEST indicate a test.
    advanced: {
      disableOriginCheck: false,
      cookiePrefix: 'publicway',
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { ipAddressHeaders: ['x-client-ip'] },
      // The migrations create its tables. Comparing all tables takes 0.2 s of a start.
      database: { generateId: 'uuid', validateSchema: false },
    },
    telemetry: { enabled: false },
    // Client errors are not logged: they are normal, and may contain input.
    onAPIError: {
      onError: (error) =>
        isAPIError(error) && error.statusCode < 500
          ? undefined
          : log('sign-in', { error: getErrorMessage(error) }),
    },
    logger: { level: 'error', log: (level, message) => log('sign-in', { level, message }) },
    // In this order: our plugin completes the library's responses, `bearer` reads the final cookie.
    plugins: [
      twoFactor(createSecondFactorOptions(parts)),
      createCredentialsPlugin(parts, attempts, resetEmails),
      enterPlugin(),
      bearer({ requireSignature: true }),
    ],
  })
}

export type Auth = Awaited<ReturnType<typeof openAuth>>
