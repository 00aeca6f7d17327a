import { randomInt } from 'node:crypto'
import { createAuthEndpoint } from 'better-auth/api'
import { z } from 'zod'
import { mailTexts } from '#server/mail/mail-texts.ts'
import { authError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { enrolledPhone } from './enrolled-phone.ts'
import { freshSession } from './fresh-session.ts'
import type { PendingFactors } from './pending-factors.ts'
import { checkSmsRateLimit } from './sms-rate-limit'

/** Normalizes a phone number with country code to E.164, adding a missing plus. Null if it is invalid. */
export function parsePhoneNumber(text: string): string | null {
  const digits = text.replace(/[\s().\-/\u00a0\u2010-\u2015]/g, '').replace(/^(?=\d)/, '+')
  return /^\+[1-9]\d{7,14}$/.test(digits) ? digits : null
}

/** Starts to enroll a phone and sends a code to it. The number is not used before the code is entered. */
export const startPhone = ({ state, sms, now }: AuthParts, pending: PendingFactors) =>
  createAuthEndpoint(
    '/multi-factor/phone/start',
    { method: 'POST', body: z.object({ phoneNumber: z.string().max(40) }), use: [freshSession(now)] },
    async (ctx) => {
      const { user } = ctx.context.session
      const number = parsePhoneNumber(ctx.body.phoneNumber)
      if (!number) throw authError('INVALID_PHONE_NUMBER')
      if (await enrolledPhone(state, user.id)) throw authError('FACTOR_ALREADY_ENROLLED')
      const at = now()
      await checkSmsRateLimit(state, user.id, at)
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      await pending.put(user.id, 'phone', { phoneNumber: number, code }, at)
      await sms.send({ to: number, text: mailTexts.code(code) }).catch(() => {
        throw authError('CODE_NOT_SENT')
      })
      return ctx.json({ phoneNumber: number })
    },
  )
