import { randomInt } from 'node:crypto'
import { createAuthEndpoint } from 'better-auth/api'
import { symmetricEncrypt } from 'better-auth/crypto'
import { createAuthError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { systemScope } from '../scope.ts'
import { requireFreshSession } from '../credentials/auth-context.ts'
import { notifyFactorChange } from './notify-factor-change.ts'

const codeCount = 10
/** Characters of each half of a code. */
const halfLength = 5
/** Letters and digits that do not look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

const drawHalf = (): string =>
  Array.from({ length: halfLength }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Creates ten codes of about 49 bits, each for one sign-in without the device. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: codeCount }, () => `${drawHalf()}-${drawHalf()}`)

/** Normalizes an entered code to the form in which it was issued. */
export function normalizeRecoveryCode(text: string): string {
  const characters = text.toLowerCase().replace(/[^a-z0-9]/g, '')
  return `${characters.slice(0, halfLength)}-${characters.slice(halfLength)}`
}

/** Creates ten recovery codes, which replace the previous ones. */
export const renewRecoveryCodes = (parts: AuthParts) =>
  createAuthEndpoint(
    '/multi-factor/recovery-codes',
    { method: 'POST', use: [requireFreshSession(parts.now)], metadata: { noStore: true } },
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
      if (!renewed.numUpdatedRows) throw createAuthError('UNSUPPORTED_FACTOR')
      await notifyFactorChange(parts, ctx, {
        userId: user.id,
        change: { renewed: 'recovery codes' },
        at: parts.now(),
      })
      return ctx.json({ recoveryCodes })
    },
  )
