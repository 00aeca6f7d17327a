import { createHmac, timingSafeEqual } from 'node:crypto'

/** RFC 6238 with the parameters that all authenticator apps support: SHA-1, six digits, steps of 30 s. */
const stepSeconds = 30
const digits = 6
/** Number of steps by which the device's clock may deviate. */
const driftSteps = 1

/** Returns the number of the time step (RFC 6238) at an instant. */
export const getStep = (at: Date): number => Math.floor(at.getTime() / 1000 / stepSeconds)

/** Returns the code of a time step. The key is the secret's UTF-8 text. */
export function computeTotpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  // Dynamic truncation (RFC 4226, section 5.3): the last four bits choose the four bytes of the code.
  const offset = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

/** Finds the time step with this code, within the allowed deviation from `at`; null if there is none. */
export function findMatchingStep(secret: string, code: string, at: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const currentStep = getStep(at)
  let match: number | null = null
  for (let step = currentStep - driftSteps; step <= currentStep + driftSteps; step++)
    if (timingSafeEqual(Buffer.from(computeTotpCode(secret, step)), Buffer.from(code))) match = step
  return match
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes a key for typing into an app (RFC 4648, base 32 without padding). */
export function encodeBase32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

/** Formats the URI that an authenticator app scans as a QR code. */
export const formatOtpauthUri = (issuer: string, account: string, secret: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${new URLSearchParams({ secret: encodeBase32(secret), issuer, algorithm: 'SHA1', digits: String(digits), period: String(stepSeconds) })}`
