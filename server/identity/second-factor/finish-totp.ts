import { createAuthEndpoint } from 'better-auth/api'
import { symmetricEncrypt } from 'better-auth/crypto'
import { z } from 'zod'
import { authError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { findFactors } from '../find-user.ts'
import { enrolFactor } from './enrol-factor.ts'
import { freshSession } from './fresh-session.ts'
import type { PendingFactors } from './pending-factors.ts'
import { notifyFactorChange } from './notify-factor-change'
import { matchingStep } from './totp.ts'

/** Enrolls the authenticator app after its first code was entered. */
export const finishTotp = (parts: AuthParts, pending: PendingFactors) =>
  createAuthEndpoint(
    '/multi-factor/totp/finish',
    { method: 'POST', body: z.object({ code: z.string().max(20) }), use: [freshSession(parts.now)] },
    async (ctx) => {
      const { user } = ctx.context.session
      const at = parts.now()
      const started = await pending.attempt(user.id, 'totp', at)
      if (!started?.secret) throw authError('CODE_EXPIRED')
      const totpStep = matchingStep(started.secret, ctx.body.code.replace(/\s/g, ''), at)
      if (totpStep === null) throw authError('INVALID_CODE')
      if (!(await pending.take(user.id, 'totp'))) throw authError('CODE_EXPIRED')
      const encrypt = (data: string): Promise<string> =>
        symmetricEncrypt({ key: ctx.context.secretConfig, data })
      const factor = {
        userId: user.id,
        kind: 'totp' as const,
        phoneNumber: null,
        secret: await encrypt(started.secret),
        totpStep,
        recoveryCodes: await encrypt(JSON.stringify(started.recoveryCodes)),
      }
      await enrolFactor(parts.state, factor, at)
      await notifyFactorChange(parts, ctx, user.id, { added: 'totp' }, at)
      return ctx.json({ enrolledFactors: await findFactors(parts.state, user.id) })
    },
  )
