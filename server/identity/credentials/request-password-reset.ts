import { createAuthEndpoint } from 'better-auth/api'
import { z } from 'zod'
import { hourMs } from '#contract/period.ts'
import { auditCredential } from '../audit-credential.ts'
import type { AuthParts } from '../auth-parts.ts'
import { createPasswordLink } from '../create-password-link.ts'
import { systemScope } from '../scope.ts'
import { tryConsumeRateLimit } from '../rate-limit.ts'
import { getAddress } from './auth-context.ts'
import { mailUser } from './mail-user.ts'

/** Validity of the password link. */
const validSeconds = 3600
/** Maximum mails per account and hour. */
const maxMailsPerHour = 3

/** Finds the id of the user with this e-mail; null for users of single sign-on only. */
async function findRecipient({ state }: AuthParts, email: string): Promise<string | null> {
  const user = await state
    .as(systemScope)
    .selectFrom('user')
    .leftJoin('account', (join) =>
      join.onRef('account.userId', '=', 'user.id').on('account.providerId', '=', 'credential'),
    )
    .select(['user.id', 'user.invited', 'account.id as accountId'])
    .where('user.email', '=', email.toLowerCase())
    .where('user.disabled', '=', false)
    .executeTakeFirst()
  return user && (user.accountId || user.invited) ? user.id : null
}

/**
 * Sends the link for a new password. Responds before it looks up the user, so that neither the response nor
 * its time discloses whether there is one.
 */
export const requestPasswordReset = (parts: AuthParts) =>
  createAuthEndpoint(
    '/request-password-reset',
    { method: 'POST', body: z.object({ email: z.email().max(255) }) },
    async (ctx) => {
      const { email } = ctx.body
      const address = getAddress(ctx)
      const at = parts.now()
      parts.background.run('password reset', async () => {
        const userId = await findRecipient(parts, email)
        if (
          !userId ||
          !(await tryConsumeRateLimit(
            parts.state,
            { key: `password-reset:${userId}`, maxCount: maxMailsPerHour, windowMs: hourMs },
            at,
          ))
        )
          return
        const link = await createPasswordLink({ $context: Promise.resolve(ctx.context) }, parts.config, {
          userId,
          validSeconds,
          at,
        })
        await auditCredential(parts.state, userId, {
          action: 'password reset requested',
          path: '/request-password-reset',
          address,
          at,
        })
        mailUser(parts, userId, (texts) => texts.passwordReset(link))
      })
      return ctx.json({ status: true })
    },
  )
