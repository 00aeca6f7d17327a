import { randomInt } from 'node:crypto'

const count = 10
const half = 5
/** Without letters and digits that are read as one another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

const part = (): string => Array.from({ length: half }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Ten codes of some 49 bits, each for one sign-in without the device. */
export const makeRecoveryCodes = (): string[] => Array.from({ length: count }, () => `${part()}-${part()}`)

/** A code as it was handed out, however it was typed. */
export function tidyRecoveryCode(text: string): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9]/g, '')
  return `${plain.slice(0, half)}-${plain.slice(half)}`
}
