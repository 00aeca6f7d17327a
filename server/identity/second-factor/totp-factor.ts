import { createAuthEndpoint } from 'better-auth/api'
import { generateRandomString, symmetricEncrypt } from 'better-auth/crypto'
import { z } from 'zod'
import { createAuthError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { findFactors } from '../find-user.ts'
import { enrollFactor } from './enroll-factor.ts'
import { requireFreshSession } from '../credentials/auth-context.ts'
import { notifyFactorChange } from './notify-factor-change.ts'
import type { PendingFactors } from './pending-factors.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { issuer } from './second-factor-options.ts'
import { encodeBase32, findMatchingStep, formatOtpauthUri } from './totp.ts'

/**
 * Starts the enrollment of an authenticator app. The response contains its key, as text of a QR code and for
 * typing, and for the first factor the recovery codes, only once.
 */
export const startTotp = ({ state, now }: AuthParts, pendingFactors: PendingFactors) =>
  createAuthEndpoint(
    '/multi-factor/totp/start',
    { method: 'POST', use: [requireFreshSession(now)], metadata: { noStore: true } },
    async (ctx) => {
      const { user } = ctx.context.session
      const factors = await findFactors(state, user.id)
      if (factors.some(({ kind }) => kind === 'totp')) throw createAuthError('FACTOR_ALREADY_ENROLLED')
      const secret = generateRandomString(32)
      const recoveryCodes = makeRecoveryCodes()
      await pendingFactors.start(user.id, 'totp', { secret, recoveryCodes }, now())
      return ctx.json({
        uri: formatOtpauthUri(issuer, user.email, secret),
        key: encodeBase32(secret),
        recoveryCodes: factors.length ? null : recoveryCodes,
      })
    },
  )

/** Enrolls the authenticator app if its first code is correct. */
export const finishTotp = (parts: AuthParts, pendingFactors: PendingFactors) =>
  createAuthEndpoint(
    '/multi-factor/totp/finish',
    { method: 'POST', body: z.object({ code: z.string().max(20) }), use: [requireFreshSession(parts.now)] },
    async (ctx) => {
      const { user } = ctx.context.session
      const at = parts.now()
      const pendingFactor = await pendingFactors.attempt(user.id, 'totp', at)
      if (!pendingFactor?.secret) throw createAuthError('CODE_EXPIRED')
      const totpStep = findMatchingStep(pendingFactor.secret, ctx.body.code.replace(/\s/g, ''), at)
      if (totpStep === null) throw createAuthError('INVALID_CODE')
      if (!(await pendingFactors.finish(user.id, 'totp'))) throw createAuthError('CODE_EXPIRED')
      const encrypt = (data: string): Promise<string> =>
        symmetricEncrypt({ key: ctx.context.secretConfig, data })
      const factor = {
        userId: user.id,
        kind: 'totp' as const,
        phoneNumber: null,
        secret: await encrypt(pendingFactor.secret),
        totpStep,
        recoveryCodes: await encrypt(JSON.stringify(pendingFactor.recoveryCodes)),
      }
      await enrollFactor(parts.state, factor, at)
      await notifyFactorChange(parts, ctx, { userId: user.id, change: { added: 'totp' }, at })
      return ctx.json({ enrolledFactors: await findFactors(parts.state, user.id) })
    },
  )
