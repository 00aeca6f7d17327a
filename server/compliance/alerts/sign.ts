import { createHmac, randomBytes } from 'node:crypto'
import type { SecretBox } from '#server/stores/secret-box.ts'

/** Bound to its subscription: a sealed text that is moved to another one does not open there. */
const purposeOf = (subscriptionId: string): string => `alert webhook ${subscriptionId}`

export const newSecret = (): string => `pwsec_${randomBytes(32).toString('base64url')}`
export const sealSecret = (box: SecretBox, subscriptionId: string, secret: string): string =>
  box.seal(purposeOf(subscriptionId), secret)
export const openSecret = (box: SecretBox, subscriptionId: string, sealed: string): string =>
  box.open(purposeOf(subscriptionId), sealed)

export const signatureHeader = 'publicway-signature'

/** HMAC-SHA256 under the secret, over the seconds since 1970, a full stop and the body as it is sent: `t=1774000000,v1=` and 64 hexadecimal digits. */
export function signatureOf(secret: string, at: Date, body: string): string {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
