import { dayMs } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import { findHeldRegions } from '#server/regions/fact-limits.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { State } from '#server/stores/state.ts'
import { rawRoot } from './raw-files.ts'

/**
 * Removes raw input that is older than the retention of its region, unless the region has a legal hold, and
 * raw input of deleted regions. Returns the number of removed days, counted per feed.
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
  let removedCount = 0
  for (const region of await blobs.folders(rawRoot))
    for (const feed of await blobs.folders(`${rawRoot}${region}/`))
      for (const date of await blobs.folders(`${rawRoot}${region}/${feed}/`)) {
        const end = Date.parse(date) + dayMs
        if (Number.isNaN(end) || end + (retentionDays.get(region) ?? 0) * dayMs > at.getTime()) continue
        await blobs.deleteAll(`${rawRoot}${region}/${feed}/${date}/`)
        removedCount++
      }
  return removedCount
}
