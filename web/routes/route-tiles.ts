const halfHour = 30 * 60_000

/** Address of the tiles of a region's street segments, as of a layer's: the streets' version changes with them, the bucket every half hour. */
export const routeTiles = (regionId: string, version: string, origin: string, at: number): string =>
  `${origin}/v2/regions/${encodeURIComponent(regionId)}/routes/vector/{z}/{x}/{y}?v=${encodeURIComponent(version)}&bucket=${Math.floor(at / halfHour)}`

/** The same for everybody. */
export const publicRouteTiles = (regionId: string, version: string, origin: string): string =>
  `${origin}/v2/public/regions/${encodeURIComponent(regionId)}/routes/vector/{z}/{x}/{y}?v=${encodeURIComponent(version)}`
