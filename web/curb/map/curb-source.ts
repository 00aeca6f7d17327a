import * as contract from '#contract/curb-map.ts'

/**
 * The endpoints that a map of curb regulations uses: those for users of a region, or those of its public map.
 */
export interface CurbSource {
  regionId: string
  isPublic: boolean
  week: typeof contract.getCurbWeek
  zone: typeof contract.getCurbZone
  zones: typeof contract.listCurbZonesAt
  exported: typeof contract.exportCurbZones
  /** URL template of tiles. */
  tiles: (epoch: number, version: number) => string
}

const createTileUrl =
  (prefix: string, regionId: string) =>
  (epoch: number, version: number): string =>
    `${location.origin}/v2${prefix}/regions/${encodeURIComponent(regionId)}/curb/vector/{z}/{x}/{y}?epoch=${epoch}&v=${version}`

/** The curb data of a signed-in user's region, including unpublished zones. */
export const ownCurb = (regionId: string): CurbSource => ({
  regionId,
  isPublic: false,
  week: contract.getCurbWeek,
  zone: contract.getCurbZone,
  zones: contract.listCurbZonesAt,
  exported: contract.exportCurbZones,
  tiles: createTileUrl('', regionId),
})

/** The public endpoints have the same parameters and responses as those for users. */
export const publicCurb = (regionId: string): CurbSource => ({
  regionId,
  isPublic: true,
  week: contract.getPublicCurbWeek as unknown as typeof contract.getCurbWeek,
  zone: contract.getPublicCurbZone as unknown as typeof contract.getCurbZone,
  zones: contract.listPublicCurbZonesAt as unknown as typeof contract.listCurbZonesAt,
  exported: contract.exportPublicCurbZones as unknown as typeof contract.exportCurbZones,
  tiles: createTileUrl('/public', regionId),
})
