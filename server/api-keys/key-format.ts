import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A key is `pwk_{environment}_{id}_{secret}`. The prefix makes it detectable by secret scanners. */
const keyPattern = /^(pwk_[a-z]+_([0-9a-z]{12}))_([\w-]{43})$/
/** Any format of keys and tokens, including older tokens, which have other prefixes. */
const anyPattern = /^[\w.~+/=-]{20,200}$/
const idAlphabet = '0123456789abcdefghijklmnopqrstuvwxyz'
const idLength = 12
const hintLength = 4

/** Part of a key that distinguishes production servers (`live`) from development servers. */
export type KeyEnvironment = 'live' | 'dev'

/** Returns the hash of a key's secret. Only hashes are stored. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Generates a key with 256 bits of randomness. Only the hash of its secret is stored. */
export function createKeyText(environment: KeyEnvironment): {
  text: string
  keyId: string
  /** The public part of the text. */
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

/**
 * Parses a key to its id and the hash of its secret. Older tokens have no id; their hash is used instead.
 * Null if invalid.
 */
export function parseKey(text: string): { keyId: string; secretHash: string } | null {
  const [, , keyId, secret] = keyPattern.exec(text) ?? []
  if (keyId && secret) return { keyId, secretHash: hashSecret(secret) }
  if (!anyPattern.test(text) || text.startsWith('pwk_')) return null
  const hash = hashSecret(text)
  return { keyId: hash, secretHash: hash }
}

/** Reads the key in the headers: `x-api-key`, or else `Authorization: Bearer`; null if there is none. */
export function readKeyFromHeaders(headers: Headers): string | null {
  const apiKey = headers.get('x-api-key')
  if (apiKey !== null) return apiKey.trim()
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
}

/** Compares hashes in constant time. */
export const isSameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
