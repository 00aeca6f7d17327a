import { pushedKinds } from '#contract/feeds.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'

/** A lease that is not renewed for this long is free: its process is gone. */
export const leaseMs = 60_000

/** Takes and renews the feeds that this process may pull: those that are on, are fetched, and are nobody else's. Answers their ids. */
export async function leaseFeeds(state: Pick<State, 'as'>, owner: string, at: Date): Promise<string[]> {
  const rows = await state
    .as(systemScope)
    .updateTable('feed')
    .set({ lease_owner: owner, lease_until: new Date(at.getTime() + leaseMs) })
    .where('enabled', '=', true)
    .where('url', 'is not', null)
    .where('kind', 'not in', pushedKinds)
    .where((is) =>
      is.or([is('lease_owner', 'is', null), is('lease_owner', '=', owner), is('lease_until', '<', at)]),
    )
    .returning('feed_id')
    .execute()
  return rows.map((row) => row.feed_id)
}

/** Gives the leases of this process back, or those of every process where this one owns the store alone. */
export async function freeFeeds(state: Pick<State, 'as'>, owner: string | null): Promise<void> {
  const free = state.as(systemScope).updateTable('feed').set({ lease_owner: null, lease_until: null })
  await (
    owner === null ? free.where('lease_owner', 'is not', null) : free.where('lease_owner', '=', owner)
  ).execute()
}
