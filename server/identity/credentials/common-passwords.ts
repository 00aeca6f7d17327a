import { createHash } from 'node:crypto'
import fs from 'node:fs'

const file = new URL('./common-passwords.txt', import.meta.url)
const hashCharacters = 8
let hashes: Set<string> | null = null

/**
 * Returns whether a password is among the ten thousand most common ones in breaches, ignoring case (OWASP
 * ASVS 2.1.7). The file has the first characters of their hashes.
 */
export function isCommonPassword(password: string): boolean {
  hashes ??= new Set(fs.readFileSync(file, 'utf8').split('\n'))
  const hash = createHash('sha256').update(password.toLowerCase()).digest('base64url')
  return hashes.has(hash.slice(0, hashCharacters))
}
