import * as contract from '#contract/curb-map.ts'

interface CurbEndpoints {
  week: typeof contract.getCurbWeek
  zone: typeof contract.getCurbZone
  zones: typeof contract.listCurbZonesAt
  zonesFile: typeof contract.exportCurbZones
}

/** The data of a map of curb regulations: that of a region's users, or that of its public map. */
export interface CurbSource {
  regionId: string
  isPublic: boolean
  endpoints: CurbEndpoints
  /** Returns the URL template of the tiles of a displayed week; both arguments change when the tiles do. */
  getTileUrl: (epoch: number, version: number) => string
}

const createTileUrl =
  (prefix: string, regionId: string) =>
  (epoch: number, version: number): string =>
    `${location.origin}/v2${prefix}/regions/${encodeURIComponent(regionId)}/curb/vector/{z}/{x}/{y}?epoch=${epoch}&v=${version}`

/** Returns the curb data for signed-in users of a region, including unpublished zones. */
export const getRegionCurbSource = (regionId: string): CurbSource => ({
  regionId,
  isPublic: false,
  endpoints: {
    week: contract.getCurbWeek,
    zone: contract.getCurbZone,
    zones: contract.listCurbZonesAt,
    zonesFile: contract.exportCurbZones,
  },
  getTileUrl: createTileUrl('', regionId),
})

/** Returns the published curb data of a region. */
export const getPublicCurbSource = (regionId: string): CurbSource => ({
  regionId,
  isPublic: true,
  // The public endpoints have the same parameters and responses; only paths and permissions differ.
  endpoints: {
    week: contract.getPublicCurbWeek,
    zone: contract.getPublicCurbZone,
    zones: contract.listPublicCurbZonesAt,
    zonesFile: contract.exportPublicCurbZones,
  } as unknown as CurbEndpoints,
  getTileUrl: createTileUrl('/public', regionId),
})
