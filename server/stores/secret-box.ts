import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** Encrypts stored secrets with AES-256-GCM, with a key per purpose derived from the deployment's key. */
export interface SecretBox {
  /** Encrypts a text, which can only be decrypted with the same key and purpose. */
  seal(purpose: string, text: string): string
  /** Decrypts a text. @throws Error if the key or purpose differs or the text was changed. */
  open(purpose: string, sealed: string): string
  /** A key derived for one purpose, as base64url. */
  derive(purpose: string): string
}

const version = 'v1'
const nonceBytes = 12
const tagBytes = 16

/** Creates a box with a key of 64 hexadecimal digits. */
export function createSecretBox(key: string): SecretBox {
  const deriveKey = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), 'publicway', purpose, 32))
  return {
    seal(purpose, text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', deriveKey(purpose), nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(purpose, sealed) {
      const [prefix, text] = sealed.split('.')
      const bytes = Buffer.from(text ?? '', 'base64url')
      if (prefix !== version || bytes.length < nonceBytes + tagBytes) throw new Error('No sealed secret')
      const decipher = createDecipheriv('aes-256-gcm', deriveKey(purpose), bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return (
        decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
      )
    },
    derive: (purpose) => deriveKey(purpose).toString('base64url'),
  }
}

/**
 * Opens the deployment's box. Its key is SECRET_KEY, or else a file in the data directory, which is created
 * at the first start and readable only by its owner.
 */
export function openSecretBox({
  secretKey,
  dataDir,
}: {
  secretKey: string | null
  dataDir: string
}): SecretBox {
  if (secretKey) return createSecretBox(secretKey)
  const file = path.join(dataDir, 'secret.key')
  fs.mkdirSync(dataDir, { recursive: true })
  if (!fs.existsSync(file))
    fs.writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  const key = fs.readFileSync(file, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/.test(key)) throw new Error(`${file} does not contain 64 hexadecimal digits`)
  return createSecretBox(key)
}
