import { createHmac } from 'node:crypto'
import type { TwoFactorOptions } from 'better-auth/plugins'
import { mailTexts } from '#server/mail/mail-texts.ts'
import type { AuthParts } from '../auth-parts.ts'
import { findLanguage } from '../find-user.ts'
import { findEnrolledPhone } from './phone-factor.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'

/** The name of the service that authenticator apps show. */
export const issuer = 'Publicway'

/** Creates the library's options for second factors at sign-in. Their enrollment is our own code. */
export function createSecondFactorOptions({ state, secretBox, sms }: AuthParts): TwoFactorOptions {
  const key = secretBox.derive('codes by text message')
  return {
    issuer,
    twoFactorCookieMaxAge: 600, // seconds
    otpOptions: {
      digits: 6,
      period: 5, // minutes
      allowedAttempts: 5,
      async sendOTP({ user, otp }) {
        const to = await findEnrolledPhone(state, user.id)
        if (to) await sms.send({ to, text: mailTexts[await findLanguage(state, user.id)].code(otp) })
      },
      // A keyed hash, because a plain hash of six digits could be reversed by trying all codes.
      storeOTP: { hash: async (otp) => createHmac('sha256', key).update(otp).digest('base64url') },
    },
    backupCodeOptions: { storeBackupCodes: 'encrypted', customBackupCodesGenerate: makeRecoveryCodes },
    accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: 900 },
  }
}
