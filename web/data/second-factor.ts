import { authCall } from './auth-call.ts'

export type FactorKind = 'totp' | 'phone'

/** Methods of passing the challenge after the password. */
export type ChallengeMethod = 'totp' | 'otp' | 'recovery'

const verificationPaths: Record<ChallengeMethod, string> = {
  totp: '/two-factor/verify-totp',
  otp: '/two-factor/verify-otp',
  recovery: '/two-factor/verify-backup-code',
}

/** Submits a code for the challenge; a correct one signs in. */
export async function passChallenge(method: ChallengeMethod, code: string): Promise<void> {
  await authCall(verificationPaths[method], { code })
}

/** Sends the code of a challenge as a text message. */
export async function sendChallengeCode(): Promise<void> {
  await authCall('/two-factor/send-otp')
}

/** An authenticator app during enrollment. */
export interface TotpEnrollment {
  /** Content of the QR code. */
  uri: string
  /** The same secret for manual entry. */
  key: string
  /** Shown once after the enrollment; null if the user already has recovery codes. */
  recoveryCodes: string[] | null
}

/** Creates a key for an authenticator app; it is active after `finishTotp`. */
export const startTotp = (): Promise<TotpEnrollment> => authCall('/multi-factor/totp/start')

/** Activates the key with a first code of the app. */
export async function finishTotp(code: string): Promise<void> {
  await authCall('/multi-factor/totp/finish', { code })
}

/** Sends a code to the phone. Returns the number as parsed by the server. */
export const startPhone = (phoneNumber: string): Promise<{ phoneNumber: string }> =>
  authCall('/multi-factor/phone/start', { phoneNumber })

/** Activates the phone with the code that it received. Returns recovery codes if it is the first factor. */
export const finishPhone = (code: string): Promise<{ recoveryCodes: string[] | null }> =>
  authCall('/multi-factor/phone/finish', { code })

/** Removes the factor that was enrolled first. */
export async function unenrollFirstFactor(): Promise<void> {
  await authCall('/multi-factor/unenrol')
}

/** Replaces all recovery codes. */
export const renewRecoveryCodes = (): Promise<{ recoveryCodes: string[] }> =>
  authCall('/multi-factor/recovery-codes')
