import { createAuthEndpoint } from 'better-auth/api'
import { generateRandomString } from 'better-auth/crypto'
import { authError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { findFactors } from '../find-user.ts'
import { freshSession } from './fresh-session.ts'
import type { PendingFactors } from './pending-factors.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { issuer } from './second-factor-options.ts'
import { base32, otpauthUri } from './totp.ts'

/**
 * Starts to enroll an authenticator app. The response has its key as text of a QR code and to type, and for
 * the first factor the recovery codes, only this time.
 */
export const startTotp = ({ state, now }: AuthParts, pending: PendingFactors) =>
  createAuthEndpoint(
    '/multi-factor/totp/start',
    { method: 'POST', use: [freshSession(now)], metadata: { noStore: true } },
    async (ctx) => {
      const { user } = ctx.context.session
      const factors = await findFactors(state, user.id)
      if (factors.some(({ kind }) => kind === 'totp')) throw authError('FACTOR_ALREADY_ENROLLED')
      const secret = generateRandomString(32)
      const recoveryCodes = makeRecoveryCodes()
      await pending.put(user.id, 'totp', { secret, recoveryCodes }, now())
      return ctx.json({
        uri: otpauthUri(issuer, user.email, secret),
        key: base32(secret),
        recoveryCodes: factors.length ? null : recoveryCodes,
      })
    },
  )
