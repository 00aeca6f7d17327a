import { createHash } from 'node:crypto'

/** The stored hash of a token. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')
