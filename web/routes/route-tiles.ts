/** Tiles that a browser has cached are loaded again after this time. */
const cacheMs = 30 * 60_000

/** Returns the tile URL of street segments. It changes with the streets' version and every half hour. */
export const getRouteTilesUrl = (regionId: string, version: string, origin: string, at: number): string =>
  `${origin}/v2/regions/${encodeURIComponent(regionId)}/routes/vector/{z}/{x}/{y}?v=${encodeURIComponent(version)}&bucket=${Math.floor(at / cacheMs)}`

/** Returns the tile URL of the public map. */
export const getPublicRouteTilesUrl = (regionId: string, version: string, origin: string): string =>
  `${origin}/v2/public/regions/${encodeURIComponent(regionId)}/routes/vector/{z}/{x}/{y}?v=${encodeURIComponent(version)}`
