import { createHash } from 'node:crypto'

/** What is kept of a token: it cannot be found from this. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')
