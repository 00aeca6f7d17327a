import { systemScope } from '#server/identity/scope.ts'
import { findHeldRegions } from '#server/regions/fact-limits.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { State } from '#server/stores/state.ts'
import { rawRoot } from './raw-files.ts'

const day = 86_400_000

/**
 * Removes raw input that is older than its region retains, unless the region has a legal hold, and that of deleted regions. Returns the
 * number of removed days of feeds.
 */
export async function removeOldRaw(
  state: Pick<State, 'as'>,
  blobs: Pick<BlobStore, 'folders' | 'deleteAll'>,
  at: Date,
): Promise<number> {
  const rows = await state
    .as(systemScope)
    .selectFrom('region')
    .select(['region_id', 'raw_retention_days'])
    .execute()
  const retentionDays = new Map(rows.map((row) => [row.region_id, row.raw_retention_days]))
  for (const regionId of await findHeldRegions(state)) retentionDays.set(regionId, Infinity)
  let removed = 0
  for (const region of await blobs.folders(rawRoot))
    for (const feed of await blobs.folders(`${rawRoot}${region}/`))
      for (const date of await blobs.folders(`${rawRoot}${region}/${feed}/`)) {
        // A day is old when all of it is.
        const ends = Date.parse(date) + day
        if (Number.isNaN(ends) || ends + (retentionDays.get(region) ?? 0) * day > at.getTime()) continue
        await blobs.deleteAll(`${rawRoot}${region}/${feed}/${date}/`)
        removed++
      }
  return removed
}
