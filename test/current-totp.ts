import { getStep, computeTotpCode } from '#server/identity/second-factor/totp.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Decodes the key that users type into an authenticator app. */
function decodeSecret(key: string): string {
  const bits = [...key.replace(/\s/g, '')]
    .map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))).toString()
}

/** Returns the current code of an authenticator app, or that of `later` steps of 30 seconds, which is still unused. */
export const currentTotp = (key: string, later = 0): string =>
  computeTotpCode(decodeSecret(key), getStep(new Date()) + later)
