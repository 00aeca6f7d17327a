import { timingSafeEqual } from 'node:crypto'
import { createAuthEndpoint } from 'better-auth/api'
import { generateRandomString, symmetricEncrypt } from 'better-auth/crypto'
import { z } from 'zod'
import { authError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { findFactors } from '../find-user.ts'
import { enrolFactor } from './enrol-factor.ts'
import { freshSession } from './fresh-session.ts'
import type { PendingFactors } from './pending-factors.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { notifyFactorChange } from './notify-factor-change'

/**
 * Enrolls the phone after its code was entered. For the first factor, the response has the recovery codes,
 * only this time.
 */
export const finishPhone = (parts: AuthParts, pending: PendingFactors) =>
  createAuthEndpoint(
    '/multi-factor/phone/finish',
    {
      method: 'POST',
      body: z.object({ code: z.string().max(20) }),
      use: [freshSession(parts.now)],
      metadata: { noStore: true },
    },
    async (ctx) => {
      const { user } = ctx.context.session
      const at = parts.now()
      const started = await pending.attempt(user.id, 'phone', at)
      if (!started?.code || !started.phoneNumber) throw authError('CODE_EXPIRED')
      const entered = ctx.body.code.replace(/\s/g, '')
      if (!/^\d{6}$/.test(entered) || !timingSafeEqual(Buffer.from(started.code), Buffer.from(entered)))
        throw authError('INVALID_CODE')
      if (!(await pending.take(user.id, 'phone'))) throw authError('CODE_EXPIRED')
      const codes = makeRecoveryCodes()
      const encrypt = (data: string): Promise<string> =>
        symmetricEncrypt({ key: ctx.context.secretConfig, data })
      const factor = {
        userId: user.id,
        kind: 'phone' as const,
        phoneNumber: started.phoneNumber,
        secret: await encrypt(generateRandomString(32)),
        totpStep: null,
        recoveryCodes: await encrypt(JSON.stringify(codes)),
      }
      const { first } = await enrolFactor(parts.state, factor, at)
      await notifyFactorChange(parts, ctx, user.id, { added: 'phone' }, at)
      return ctx.json({
        enrolledFactors: await findFactors(parts.state, user.id),
        recoveryCodes: first ? codes : null,
      })
    },
  )
