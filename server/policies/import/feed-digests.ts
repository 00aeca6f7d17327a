import { createHash } from 'node:crypto'
import { canonicalText } from '#server/stores/canonical-text.ts'

/** Equal values have equal digests, whatever the order of their keys. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(canonicalText(value)).digest('hex')

/** By what a policy of a feed is known to have changed: what it says, and the ground it says it of. */
export interface FeedDigests {
  content: string
  ground: string
}

/** When the feed was written says nothing of what it says. */
const undated = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? { ...item, published_date: null } : item

/** @param geographies All of the source; `used`: ids of those that the policy names. */
export function feedDigests(
  policy: unknown,
  geographies: readonly unknown[],
  used: readonly string[],
): FeedDigests {
  const named = new Set(used)
  const ground = geographies
    .filter((each) => named.has((each as { geography_id?: string } | null)?.geography_id ?? ''))
    .map((each) => digestOf(undated(each)))
  return { content: digestOf(undated(policy)), ground: digestOf(ground.sort()) }
}
