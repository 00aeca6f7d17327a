/** A policy of a feed: its id there, and those that it supersedes. */
export interface FeedPolicy {
  id: string
  previous: readonly string[]
}

/** The imported policy that matches one of a feed. `isSuperseded`: the feed has a later one in its place. */
export interface Match<T> {
  here: T
  isSuperseded: boolean
}

/**
 * Finds which policies of a feed are imported already, by their ids there. In MDS a changed policy gets a new id and names the previous one:
 * the new one then matches the imported policy, and the previous one, if still in the feed, the version before.
 */
export function matchImported<T>(
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
