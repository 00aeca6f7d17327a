import { createAuthEndpoint } from 'better-auth/api'
import { symmetricEncrypt } from 'better-auth/crypto'
import { authError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { systemScope } from '../scope.ts'
import { freshSession } from './fresh-session.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { notifyFactorChange } from './notify-factor-change'

/** Creates ten recovery codes, which replace the previous ones. */
export const renewRecoveryCodes = (parts: AuthParts) =>
  createAuthEndpoint(
    '/multi-factor/recovery-codes',
    { method: 'POST', use: [freshSession(parts.now)], metadata: { noStore: true } },
    async (ctx) => {
      const { user } = ctx.context.session
      const recoveryCodes = makeRecoveryCodes()
      const backupCodes = await symmetricEncrypt({
        key: ctx.context.secretConfig,
        data: JSON.stringify(recoveryCodes),
      })
      const renewed = await parts.state
        .as(systemScope)
        .updateTable('twoFactor')
        .set({ backupCodes })
        .where('userId', '=', user.id)
        .executeTakeFirst()
      if (!renewed.numUpdatedRows) throw authError('UNSUPPORTED_FACTOR')
      await notifyFactorChange(parts, ctx, user.id, { renewed: 'recovery codes' }, parts.now())
      return ctx.json({ recoveryCodes })
    },
  )
