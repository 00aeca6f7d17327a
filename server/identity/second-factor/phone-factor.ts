import { randomInt, timingSafeEqual } from 'node:crypto'
import { createAuthEndpoint } from 'better-auth/api'
import { generateRandomString, symmetricEncrypt } from 'better-auth/crypto'
import { z } from 'zod'
import { hourMs } from '#contract/period.ts'
import { mailTexts } from '#server/mail/mail-texts.ts'
import type { State } from '#server/stores/state.ts'
import { createAuthError, createTooManyAttemptsError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { findFactors, findLanguage } from '../find-user.ts'
import { consumeRateLimit } from '../rate-limit.ts'
import { systemScope } from '../scope.ts'
import { enrollFactor } from './enroll-factor.ts'
import { requireFreshSession } from '../credentials/auth-context.ts'
import { notifyFactorChange } from './notify-factor-change.ts'
import type { PendingFactors } from './pending-factors.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'

/** Normalizes a phone number with country code to E.164. Adds a missing plus sign; null if invalid. */
export function parsePhoneNumber(text: string): string | null {
  const number = text.replace(/[\s().\-/\u00a0\u2010-\u2015]/g, '').replace(/^(?=\d)/, '+')
  return /^\+[1-9]\d{7,14}$/.test(number) ? number : null
}

/** Starts the enrollment of a phone by sending a code. The number is not used until the code is entered. */
export const startPhone = ({ state, sms, now }: AuthParts, pendingFactors: PendingFactors) =>
  createAuthEndpoint(
    '/multi-factor/phone/start',
    { method: 'POST', body: z.object({ phoneNumber: z.string().max(40) }), use: [requireFreshSession(now)] },
    async (ctx) => {
      const { user } = ctx.context.session
      const phoneNumber = parsePhoneNumber(ctx.body.phoneNumber)
      if (!phoneNumber) throw createAuthError('INVALID_PHONE_NUMBER')
      if (await findEnrolledPhone(state, user.id)) throw createAuthError('FACTOR_ALREADY_ENROLLED')
      const at = now()
      await checkSmsRateLimit(state, user.id, at)
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      await pendingFactors.start(user.id, 'phone', { phoneNumber, code }, at)
      const texts = mailTexts[await findLanguage(state, user.id)]
      await sms.send({ to: phoneNumber, text: texts.code(code) }).catch(() => {
        throw createAuthError('CODE_NOT_SENT')
      })
      return ctx.json({ phoneNumber })
    },
  )

/** Enrolls the phone if the code is correct. Recovery codes are returned once, with the first factor. */
export const finishPhone = (parts: AuthParts, pendingFactors: PendingFactors) =>
  createAuthEndpoint(
    '/multi-factor/phone/finish',
    {
      method: 'POST',
      body: z.object({ code: z.string().max(20) }),
      use: [requireFreshSession(parts.now)],
      metadata: { noStore: true },
    },
    async (ctx) => {
      const { user } = ctx.context.session
      const at = parts.now()
      const pendingFactor = await pendingFactors.attempt(user.id, 'phone', at)
      if (!pendingFactor?.code || !pendingFactor.phoneNumber) throw createAuthError('CODE_EXPIRED')
      const enteredCode = ctx.body.code.replace(/\s/g, '')
      if (
        !/^\d{6}$/.test(enteredCode) ||
        !timingSafeEqual(Buffer.from(pendingFactor.code), Buffer.from(enteredCode))
      )
        throw createAuthError('INVALID_CODE')
      if (!(await pendingFactors.finish(user.id, 'phone'))) throw createAuthError('CODE_EXPIRED')
      const recoveryCodes = makeRecoveryCodes()
      const encrypt = (data: string): Promise<string> =>
        symmetricEncrypt({ key: ctx.context.secretConfig, data })
      const factor = {
        userId: user.id,
        kind: 'phone' as const,
        phoneNumber: pendingFactor.phoneNumber,
        secret: await encrypt(generateRandomString(32)),
        totpStep: null,
        recoveryCodes: await encrypt(JSON.stringify(recoveryCodes)),
      }
      const { isFirst } = await enrollFactor(parts.state, factor, at)
      await notifyFactorChange(parts, ctx, { userId: user.id, change: { added: 'phone' }, at })
      return ctx.json({
        enrolledFactors: await findFactors(parts.state, user.id),
        recoveryCodes: isFirst ? recoveryCodes : null,
      })
    },
  )

/** Finds the number of a user's enrolled phone; null if there is none. */
export async function findEnrolledPhone(state: State, userId: string): Promise<string | null> {
  const row = await state
    .as(systemScope)
    .selectFrom('enrolled_factor')
    .select('phone_number')
    .where('user_id', '=', userId)
    .where('kind', '=', 'phone')
    .executeTakeFirst()
  return row?.phone_number ?? null
}

/** Maximum text messages per account and hour. */
const maxMessagesPerHour = 10

/** Throws TOO_MANY_ATTEMPTS above the limit of text messages, which cost money and may annoy recipients. */
export async function checkSmsRateLimit(state: State, userId: string, at: Date): Promise<void> {
  const action = { key: `sms:${userId}`, maxCount: maxMessagesPerHour, windowMs: hourMs }
  const seconds = await consumeRateLimit(state, action, at)
  if (seconds > 0) throw createTooManyAttemptsError(seconds)
}
