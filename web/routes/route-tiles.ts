const halfHour = 30 * 60_000

/**
 * Tile URL of a region's street segments. It changes with the version of the streets and every half hour,
 * like that of a layer.
 */
export const routeTiles = (regionId: string, version: string, origin: string, at: number): string =>
  `${origin}/v2/regions/${encodeURIComponent(regionId)}/routes/vector/{z}/{x}/{y}?v=${encodeURIComponent(version)}&bucket=${Math.floor(at / halfHour)}`

/** Tile URL of the public map. */
export const publicRouteTiles = (regionId: string, version: string, origin: string): string =>
  `${origin}/v2/public/regions/${encodeURIComponent(regionId)}/routes/vector/{z}/{x}/{y}?v=${encodeURIComponent(version)}`
