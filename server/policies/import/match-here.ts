/** A policy of a feed: its id there, and those that it says it takes the place of. */
export interface FeedPolicy {
  id: string
  previous: readonly string[]
}

/** A policy here that one of a feed is. `isSuperseded`: the feed has a later one in its place. */
export interface Match<T> {
  here: T
  isSuperseded: boolean
}

/**
 * Which policies of a feed are here already, by their ids there. MDS gives a policy that is changed a new id, which names the former one: the new
 * one is then the policy here, and the former, where the feed still has it, is that of before.
 */
export function matchHere<T>(
  feed: readonly FeedPolicy[],
  here: ReadonlyMap<string, T>,
): Map<string, Match<T>> {
  const byId = new Map(feed.map((policy) => [policy.id, policy]))
  const found = new Map<string, Match<T>>()
  const add = (id: string, own: T, isSuperseded: boolean): void =>
    void (found.has(id) || found.set(id, { here: own, isSuperseded }))
  const later = new Map<string, FeedPolicy>()
  for (const policy of feed)
    if (!here.has(policy.id)) for (const id of policy.previous) if (!later.has(id)) later.set(id, policy)
  for (const [id, own] of here) {
    const next = later.get(id)
    if (next) add(next.id, own, false)
    const same = byId.get(id)
    if (!same) continue
    add(id, own, next !== undefined)
    for (const former of same.previous) if (byId.has(former) && !here.has(former)) add(former, own, true)
  }
  return found
}
