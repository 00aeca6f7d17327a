import { createHash } from 'node:crypto'
import { canonicalText } from '#server/stores/canonical-text.ts'

/** Computes a digest of a value that does not depend on the order of keys. */
export const computeDigest = (value: unknown): string =>
  createHash('sha256').update(canonicalText(value)).digest('hex')

/** Digests of a policy and of its geographies, by which changes in a feed are detected. */
export interface FeedDigests {
  content: string
  /** Digest of the geographies, under the name of earlier versions, because it is stored. */
  ground: string
}

/** Returns an item without the time at which the feed was written. */
const removeDate = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? { ...item, published_date: null } : item

/**
 * Computes the digests of a policy.
 * @param geographies All geographies of the source.
 * @param geographyIds Ids of the geographies that the policy uses.
 */
export function computeFeedDigests(
  policy: unknown,
  geographies: readonly unknown[],
  geographyIds: readonly string[],
): FeedDigests {
  const usedIds = new Set(geographyIds)
  const geographyDigests = geographies
    .filter((geography) => usedIds.has((geography as { geography_id?: string } | null)?.geography_id ?? ''))
    .map((geography) => computeDigest(removeDate(geography)))
  return { content: computeDigest(removeDate(policy)), ground: computeDigest(geographyDigests.sort()) }
}
