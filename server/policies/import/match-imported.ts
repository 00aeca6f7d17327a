/** A policy of a feed: its id, and the ids of policies that it supersedes. */
export interface FeedPolicy {
  id: string
  previous: readonly string[]
}

/** The imported policy that matches a policy of a feed. */
export interface Match<T> {
  imported: T
  /** Whether the feed contains a later version of it. */
  isSuperseded: boolean
}

/**
 * Matches policies of a feed with imported ones. In MDS a changed policy gets a new id and names its previous
 * id. The new policy then matches the policy imported under the previous id. Previous policies that are still
 * in the feed also match it, as superseded.
 * @param imported Imported policies by their ids in the feed.
 */
export function matchImported<T>(
  feed: readonly FeedPolicy[],
  imported: ReadonlyMap<string, T>,
): Map<string, Match<T>> {
  const feedById = new Map(feed.map((policy) => [policy.id, policy]))
  const matches = new Map<string, Match<T>>()
  const addMatch = (id: string, policy: T, isSuperseded: boolean): void =>
    void (matches.has(id) || matches.set(id, { imported: policy, isSuperseded }))
  /** Policies that are not imported, by the ids that they supersede. */
  const successors = new Map<string, FeedPolicy>()
  for (const policy of feed)
    if (!imported.has(policy.id))
      for (const id of policy.previous) if (!successors.has(id)) successors.set(id, policy)
  for (const [id, policy] of imported) {
    const successor = successors.get(id)
    if (successor) addMatch(successor.id, policy, false)
    const feedPolicy = feedById.get(id)
    if (!feedPolicy) continue
    addMatch(id, policy, successor !== undefined)
    for (const previousId of feedPolicy.previous)
      if (feedById.has(previousId) && !imported.has(previousId)) addMatch(previousId, policy, true)
  }
  return matches
}
