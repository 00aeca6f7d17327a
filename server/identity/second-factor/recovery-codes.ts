import { randomInt } from 'node:crypto'

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
