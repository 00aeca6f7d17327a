import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A key: `pwk_{environment}_{id}_{secret}`. Secret scanners find it by its prefix. */
const keyPattern = /^(pwk_[a-z]+_([0-9a-z]{12}))_([\w-]{43})$/
/** Any form in which a key or token may come: tokens of before have other prefixes. */
const anyPattern = /^[\w.~+/=-]{20,200}$/
const idAlphabet = '0123456789abcdefghijklmnopqrstuvwxyz'
const idLength = 12
const hintLength = 4

/** Of keys of production, and of servers in development. */
export type KeyEnvironment = 'live' | 'dev'

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** A new key with 256 bits of randomness. Only the hash of its secret is stored. */
export function newKey(environment: KeyEnvironment): {
  text: string
  keyId: string
  /** The public part. */
  prefix: string
  secretHash: string
  hint: string
} {
  const keyId = [...randomBytes(idLength)].map((byte) => idAlphabet[byte % idAlphabet.length]).join('')
  const secret = randomBytes(32).toString('base64url')
  const prefix = `pwk_${environment}_${keyId}`
  return {
    text: `${prefix}_${secret}`,
    keyId,
    prefix,
    secretHash: hashSecret(secret),
    hint: secret.slice(-hintLength),
  }
}

/** The id of a key and the hash of its secret. Tokens of before are their own secret and found by their hash. */
export function readKey(text: string): { keyId: string; secretHash: string } | null {
  const found = keyPattern.exec(text)
  if (found) return { keyId: found[2] ?? '', secretHash: hashSecret(found[3] ?? '') }
  if (!anyPattern.test(text) || text.startsWith('pwk_')) return null
  const hash = hashSecret(text)
  return { keyId: hash, secretHash: hash }
}

/** The key that the headers bring: `x-api-key`, else `Authorization: Bearer`. */
export function keyOfHeaders(headers: Headers): string | null {
  const given = headers.get('x-api-key')
  if (given !== null) return given.trim()
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
}

/** Compares hashes in constant time. */
export const isSameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
