import { listRegions } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { rememberedRegion } from './browser-storage.ts'

/** Time zone of pages without a region: of the last opened region, else of the first. UTC while loading. */
export function useCityZone(): string {
  const regions = useEndpointQuery(listRegions, { query: { size: 300 } }).data?.items ?? []
  const lastRegionId = rememberedRegion()
  return (regions.find(({ regionId }) => regionId === lastRegionId) ?? regions[0])?.timezone ?? 'UTC'
}
