import { listRegions, type Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'

/** Regions by id, as far as they are known; null until they are. */
export function useRegions(): readonly Region[] | null {
  return useEndpointQuery(listRegions, { query: { size: 300 } }).data?.items ?? null
}

/** The name of a region; its id where the viewer does not see it. */
export const regionName = (regions: readonly Region[] | null, regionId: string): string =>
  regions?.find((region) => region.regionId === regionId)?.text ?? regionId
