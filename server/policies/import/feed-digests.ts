import { createHash } from 'node:crypto'
import { canonicalText } from '#server/stores/canonical-text.ts'

/** Equal values have equal digests, whatever the order of their keys. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(canonicalText(value)).digest('hex')

/** Digests by which changes of a policy in a feed are found: of its content and of its geographies. */
export interface FeedDigests {
  content: string
  ground: string
}

/** The policy without the time at which the feed was written. */
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
