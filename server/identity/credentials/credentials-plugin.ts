import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint, createAuthMiddleware, sensitiveSessionMiddleware } from 'better-auth/api'
import type { AuthParts } from '../auth-parts.ts'
import { rememberDevice } from '../known-device.ts'
import { finishPhone, startPhone } from '../second-factor/phone-factor.ts'
import { finishTotp, startTotp } from '../second-factor/totp-factor.ts'
import { guardChallenge } from '../second-factor/guard-challenge.ts'
import { PendingFactors } from '../second-factor/pending-factors.ts'
import { renewRecoveryCodes } from '../second-factor/recovery-codes.ts'
import { unenrollFactor } from '../second-factor/unenroll-factor.ts'
import type { SignInAttempts } from './sign-in-attempts.ts'
import { guardSignIn } from './guard-sign-in.ts'
import { requestPasswordReset } from './request-password-reset.ts'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { auditCredential } from '../audit-credential.ts'
import { createAuthError, createTooManyAttemptsError } from '../auth-errors.ts'
import { getAddress } from './auth-context.ts'
import { isCommonPassword } from './common-passwords.ts'
import { revokeCredentials } from '../revoke-credentials.ts'
import { mailUser } from './mail-user.ts'

/**
 * Changes the password of the signed-in user, who must enter the current one. Ends all sessions and opens a
 * new one. It gets the creation time of the current one, so that it does not count as a recent sign-in when
 * second factors are changed.
 */
const changePassword = (parts: AuthParts, attempts: SignInAttempts) =>
  createAuthEndpoint(
    '/change-password',
    {
      method: 'POST',
      body: z.object({ currentPassword: z.string(), newPassword: z.string() }),
      use: [sensitiveSessionMiddleware],
    },
    async (ctx) => {
      const { user, session } = ctx.context.session
      const { password, internalAdapter } = ctx.context
      const { currentPassword, newPassword } = ctx.body
      const at = parts.now()
      if (newPassword.length < password.config.minPasswordLength) throw createAuthError('PASSWORD_TOO_SHORT')
      if (newPassword.length > password.config.maxPasswordLength) throw createAuthError('PASSWORD_TOO_LONG')
      if (isCommonPassword(newPassword)) throw createAuthError('PASSWORD_COMMON')
      const account = await internalAdapter.findCredentialAccount(user.id)
      if (!account?.password) throw createAuthError('NO_PASSWORD')
      // Limits guesses by whoever has stolen a session. Guesses without a session are counted separately.
      const attempt = { email: user.email, address: null, sessionUserId: user.id }
      const seconds = await attempts.begin(attempt, at)
      if (seconds > 0) throw createTooManyAttemptsError(seconds)
      if (!(await password.verify({ hash: account.password, password: currentPassword })))
        throw createAuthError('INVALID_PASSWORD')
      await attempts.succeed(attempt, at)
      await internalAdapter.updateAccount(account.id, { password: await password.hash(newPassword) })
      await revokeCredentials(parts.state, user.id)
      const newSession = await internalAdapter.createSession(
        user.id,
        false,
        { createdAt: session.createdAt },
        true,
      )
      await setSessionCookie(ctx, { session: newSession, user })
      await auditCredential(parts.state, user.id, {
        action: 'password changed',
        path: '/change-password',
        address: getAddress(ctx),
        at,
      })
      mailUser(parts, user.id, (texts) => texts.passwordChanged())
      return ctx.json({ status: true })
    },
  )

/** Creates our plugin of the identity library: hooks, and endpoints, two of which replace the library's. */
export function createCredentialsPlugin(
  parts: AuthParts,
  attempts: SignInAttempts,
  resetEmails: WeakMap<Request, string>,
) {
  const pendingFactors = new PendingFactors(parts.state, parts.secretBox)
  const beforeReset = {
    matcher: (context: { path?: string | undefined }) => context.path === '/reset-password',
    handler: createAuthMiddleware(async (ctx) => {
      const { newPassword } = z.object({ newPassword: z.string().catch('') }).parse(ctx.body)
      if (isCommonPassword(newPassword)) throw createAuthError('PASSWORD_COMMON')
    }),
  }
  const signIn = guardSignIn(parts, attempts)
  const challenge = guardChallenge(parts)
  // A browser that has reset the password becomes a known device: guesses elsewhere do not delay it.
  const afterReset = {
    matcher: (context: { path?: string | undefined }) => context.path === '/reset-password',
    handler: createAuthMiddleware(async (ctx) => {
      const email = ctx.request && resetEmails.get(ctx.request)
      if (email) await rememberDevice(ctx, email)
    }),
  }
  return {
    id: 'credentials',
    endpoints: {
      requestPasswordReset: requestPasswordReset(parts),
      changePassword: changePassword(parts, attempts),
      startTotp: startTotp(parts, pendingFactors),
      finishTotp: finishTotp(parts, pendingFactors),
      startPhone: startPhone(parts, pendingFactors),
      finishPhone: finishPhone(parts, pendingFactors),
      unenrollFactor: unenrollFactor(parts),
      renewRecoveryCodes: renewRecoveryCodes(parts),
    },
    hooks: {
      before: [signIn.before, challenge.before, beforeReset],
      after: [signIn.after, challenge.after, afterReset],
    },
  } satisfies BetterAuthPlugin
}
