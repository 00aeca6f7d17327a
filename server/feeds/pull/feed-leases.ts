import { pushedKinds } from '#contract/feeds.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'

/** A lease that was not renewed for this long is free, because its process must have stopped. */
export const leaseMs = 180_000

/** Acquires or renews the leases of all enabled, pulled feeds without another's lease. Returns their ids. */
export async function leaseFeeds(state: Pick<State, 'as'>, owner: string, at: Date): Promise<string[]> {
  const rows = await state
    .as(systemScope)
    .updateTable('feed')
    .set({ lease_owner: owner, lease_until: new Date(at.getTime() + leaseMs) })
    .where('enabled', '=', true)
    .where('url', 'is not', null)
    .where('kind', 'not in', pushedKinds)
    .where((where) =>
      where.or([
        where('lease_owner', 'is', null),
        where('lease_owner', '=', owner),
        where('lease_until', '<', at),
      ]),
    )
    .returning('feed_id')
    .execute()
  return rows.map((row) => row.feed_id)
}

/** Releases the leases of a process; those of all processes if `owner` is null. */
export async function releaseFeeds(state: Pick<State, 'as'>, owner: string | null): Promise<void> {
  const release = state.as(systemScope).updateTable('feed').set({ lease_owner: null, lease_until: null })
  if (owner === null) await release.where('lease_owner', 'is not', null).execute()
  else await release.where('lease_owner', '=', owner).execute()
}
