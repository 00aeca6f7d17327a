import type { SecretBox } from '#server/stores/secret-box.ts'
import type { FullAuth } from './full-auth.ts'

/** Bound to its feed: a sealed text that is moved to another feed does not open there. */
const purposeOf = (feedId: string): string => `feed auth ${feedId}`

export const sealAuth = (box: SecretBox, feedId: string, auth: FullAuth): string | null =>
  auth.kind === 'none' ? null : box.seal(purposeOf(feedId), JSON.stringify(auth))

/** The key of the deployment is another than the secrets were sealed with. */
export class UnreadableSecrets extends Error {
  override name = 'UnreadableSecrets'
}

/** Opens what was sealed. Throws UnreadableSecrets. */
export function openAuth(
  box: SecretBox,
  { feed_id: feedId, sealed_secrets: sealed }: { feed_id: string; sealed_secrets: string | null },
): FullAuth {
  if (!sealed) return { kind: 'none' }
  try {
    return JSON.parse(box.open(purposeOf(feedId), sealed)) as FullAuth
  } catch {
    throw new UnreadableSecrets(
      'The stored secrets of this feed cannot be opened with the present key. Enter them again.',
    )
  }
}
