import { listRegions } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { rememberedRegion } from './browser-storage.ts'

/**
 * Time zone of pages without a region: that of the region that was open last, else of the first one. UTC
 * while loading.
 */
export function useCityZone(): string {
  const regions = useEndpointQuery(listRegions, { query: { size: 300 } }).data?.items ?? []
  const last = rememberedRegion()
  return (regions.find(({ regionId }) => regionId === last) ?? regions[0])?.timezone ?? 'UTC'
}
