import { createHash } from 'node:crypto'
import fs from 'node:fs'

const file = new URL('./common-passwords.txt', import.meta.url)
const hashCharacters = 8
let hashes: Set<string> | null = null

/** Whether a password is among the most common ones of breaches, in upper or lower case (OWASP ASVS 2.1.7). */
export function isCommonPassword(password: string): boolean {
  hashes ??= new Set(fs.readFileSync(file, 'utf8').split('\n'))
  const hash = createHash('sha256').update(password.toLowerCase()).digest('base64url')
  return hashes.has(hash.slice(0, hashCharacters))
}
