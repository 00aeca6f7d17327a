import { stepAt, totpCode } from '#server/identity/second-factor/totp.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The secret behind a key as it is typed into an app. */
function secretOf(key: string): string {
  const bits = [...key.replace(/\s/g, '')]
    .map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))).toString()
}

/** What an authenticator app with the key shows; `later` steps of 30 seconds on, for a code that was not used yet. */
export const totpOf = (key: string, later = 0): string => totpCode(secretOf(key), stepAt(new Date()) + later)
