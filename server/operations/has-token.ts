import { createHash, timingSafeEqual } from 'node:crypto'

/** Texts are compared by their hashes, because `timingSafeEqual` needs equal lengths. */
const hashText = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Returns whether an Authorization header contains a token; false without a token. */
export function hasToken(authorization: string | null | undefined, token: string | null): boolean {
  const [, receivedToken] = /^bearer\s+(.+)$/i.exec(authorization ?? '') ?? []
  return (
    token !== null && receivedToken !== undefined && timingSafeEqual(hashText(receivedToken), hashText(token))
  )
}
