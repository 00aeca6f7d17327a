import { createAuthEndpoint } from 'better-auth/api'
import { z } from 'zod'
import { mailTexts } from '#server/mail/mail-texts.ts'
import { auditCredential } from '../audit-credential.ts'
import type { AuthParts } from '../auth-parts.ts'
import { makePasswordLink } from '../make-password-link.ts'
import { systemScope } from '../scope.ts'
import { tryConsumeRateLimit } from '../rate-limit'
import { addressOf } from './auth-context.ts'

const validSeconds = 3600
/** Mails to one account within an hour. */
const maxMails = 3
const hourMs = 3_600_000

/** A user to whom a password is of use: who only comes by single sign-on has none, and gets none by mail. */
async function findReceiver({ state }: AuthParts, email: string): Promise<string | null> {
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

/** Sends the link for a new password. It answers before it looks: neither words nor time tell whether there is such an account. */
export const requestPasswordReset = (parts: AuthParts) =>
  createAuthEndpoint(
    '/request-password-reset',
    { method: 'POST', body: z.object({ email: z.email().max(255) }) },
    async (ctx) => {
      const { email } = ctx.body
      const address = addressOf(ctx)
      const at = parts.now()
      parts.background.run('password reset', async () => {
        const userId = await findReceiver(parts, email)
        if (
          !userId ||
          !(await tryConsumeRateLimit(parts.state, `password-reset:${userId}`, maxMails, hourMs, at))
        )
          return
        const link = await makePasswordLink(
          { $context: Promise.resolve(ctx.context) },
          parts.config,
          userId,
          validSeconds,
          at,
        )
        await auditCredential(parts.state, userId, {
          action: 'password reset asked for',
          path: '/request-password-reset',
          address,
          at,
        })
        await parts.mail.send({ to: email.toLowerCase(), ...mailTexts.passwordReset(link) })
      })
      return ctx.json({ status: true })
    },
  )
