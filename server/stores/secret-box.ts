import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** Keeps secrets at rest: AES-256-GCM under keys derived from one key of the deployment. */
export interface SecretBox {
  /** Text that only this box opens again; `purpose` binds it to one use. */
  seal(purpose: string, text: string): string
  /** Throws where the text is not this box's, not of this purpose, or was changed. */
  open(purpose: string, sealed: string): string
  /** A key of its own for one purpose, as base64url. */
  derive(purpose: string): string
}

const version = 'v1'
const nonceBytes = 12
const tagBytes = 16

/** A box on a key of 64 hexadecimal digits. */
export function createSecretBox(key: string): SecretBox {
  const derived = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), 'publicway', purpose, 32))
  return {
    seal(purpose, text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', derived(purpose), nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(purpose, sealed) {
      const [mark, text] = sealed.split('.')
      const bytes = Buffer.from(text ?? '', 'base64url')
      if (mark !== version || bytes.length < nonceBytes + tagBytes) throw new Error('No sealed secret')
      const opener = createDecipheriv('aes-256-gcm', derived(purpose), bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      opener.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return opener.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + opener.final('utf8')
    },
    derive: (purpose) => derived(purpose).toString('base64url'),
  }
}

/** The deployment's box: on SECRET_KEY, else on a key that is made once in the data directory, readable by its owner only. */
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
  if (!/^[0-9a-f]{64}$/.test(key)) throw new Error(`${file} does not hold 64 hexadecimal digits`)
  return createSecretBox(key)
}
