import type { SecretBox } from '#server/stores/secret-box.ts'
import type { FullAuth } from './full-auth.ts'

/** Binds sealed credentials to their feed, so that they cannot be opened for another one. */
const sealPurpose = (feedId: string): string => `feed auth ${feedId}`

/** Encrypts the secrets of a feed; null if it needs none. */
export const sealAuth = (secretBox: SecretBox, feedId: string, auth: FullAuth): string | null =>
  auth.kind === 'none' ? null : secretBox.seal(sealPurpose(feedId), JSON.stringify(auth))

/** The credentials were sealed with a key other than that of the deployment. */
export class UnreadableSecrets extends Error {
  override name = 'UnreadableSecrets'
}

/** Opens sealed credentials. @throws UnreadableSecrets. */
export function openAuth(
  secretBox: SecretBox,
  { feed_id: feedId, sealed_secrets: sealed }: { feed_id: string; sealed_secrets: string | null },
): FullAuth {
  if (!sealed) return { kind: 'none' }
  try {
    return JSON.parse(secretBox.open(sealPurpose(feedId), sealed)) as FullAuth
  } catch {
    throw new UnreadableSecrets(
      'The stored secrets of this feed cannot be opened with the current key. Enter them again.',
    )
  }
}
