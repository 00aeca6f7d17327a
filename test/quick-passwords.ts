// Hashes the password of fixture users and its guess at a sixteenth of the cost, others as in production.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { fixtureGuess, fixturePassword } from './password.ts'

const full = crypto.scrypt
/** The minimum of N that OWASP recommends with r = 16. */
const minCost = 16_384

const quick = (
  password: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  length: number,
  options: crypto.ScryptOptions,
  done: (error: Error | null, key: Buffer) => void,
): void => {
  if ((options.N ?? 0) < minCost || (options.r ?? 0) < 16)
    throw new Error(`Passwords are hashed at too low a cost: ${JSON.stringify(options)}`)
  full(
    password,
    salt,
    length,
    password === fixturePassword || password === fixtureGuess ? { ...options, N: minCost / 16 } : options,
    done,
  )
}

// Once per process: setup files run for each test file.
if (full.name !== 'quick') {
  crypto.scrypt = quick as typeof crypto.scrypt
  syncBuiltinESMExports()
}
