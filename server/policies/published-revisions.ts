import type { MdsPolicy } from '#contract/mds-policy.ts'
import type { Policy } from '#contract/policy.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { FrozenGeography } from './freeze-geographies.ts'
import { readPolicy } from './policy-row.ts'
import { getToday } from './today-in.ts'

/** A revision with its time in force, ms since 1970, for compliance and fees. `until` is exclusive. */
export interface PublishedRevision {
  policy: Policy
  from: number
  until: number | null
  /** The geographies that were published with it. */
  geographies: FrozenGeography[]
  mds: MdsPolicy
  /** Whether the policy was deleted since. */
  isDeleted: boolean
}

/**
 * Finds all published revisions of a region's policies, oldest first: those in force, and those that were
 * superseded, unpublished or deleted since. Revisions that never came into force are omitted.
 */
export async function findPublishedRevisions(
  state: State,
  scope: Scope,
  regionId: string,
  at: Date,
): Promise<PublishedRevision[]> {
  const region = await findRegion(state, scope, regionId)
  const rows = await state
    .as(scope)
    .selectFrom('policy')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('published_time', 'is not', null)
    .orderBy('effective_time')
    .orderBy('policy_id')
    .execute()
  return rows
    .map((row): PublishedRevision => {
      const mds = row.mds as MdsPolicy
      const ends = [mds.end_date, row.superseded_time?.getTime(), row.unpublished_time?.getTime()].filter(
        (time) => time != null,
      )
      return {
        policy: readPolicy(row, getToday(region, at)),
        from: mds.start_date,
        until: ends.length ? Math.min(...ends) : null,
        geographies: row.grounds,
        mds,
        isDeleted: row.is_deleted,
      }
    })
    .filter(({ from, until }) => until === null || until > from)
}
