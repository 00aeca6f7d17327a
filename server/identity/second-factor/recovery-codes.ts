import { randomInt } from 'node:crypto'
import { createAuthEndpoint } from 'better-auth/api'
import { symmetricEncrypt } from 'better-auth/crypto'
import { authError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { systemScope } from '../scope.ts'
import { freshSession } from '../credentials/auth-context.ts'
import { notifyFactorChange } from './notify-factor-change.ts'

const count = 10
const half = 5
/** Without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

const part = (): string => Array.from({ length: half }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Creates ten codes of about 49 bits, each for one sign-in without the device. */
export const makeRecoveryCodes = (): string[] => Array.from({ length: count }, () => `${part()}-${part()}`)

/** Normalizes an entered code to the form in which it was issued. */
export function normalizeRecoveryCode(text: string): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9]/g, '')
  return `${plain.slice(0, half)}-${plain.slice(half)}`
}

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
