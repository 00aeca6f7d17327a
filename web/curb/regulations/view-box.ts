import type { Box } from '#contract/place.ts'
import type { Viewport } from '#web/map/viewport.ts'

/** Curb zones are too small to be seen at a lower zoom. */
export const minZoneZoom = 13

/** Half the width of a wide screen. */
const halfScreenPixels = 1000
const worldPixels = 512

/**
 * Returns the visible part of the map, rounded outward to a grid of the same size, so that small moves request the
 * same box. Null below the minimum zoom of zones.
 */
export function getViewBox({ lon, lat, zoom }: Viewport): Box | null {
  if (zoom < minZoneZoom) return null
  const step = (halfScreenPixels * 360) / (worldPixels * 2 ** Math.floor(zoom))
  const roundDown = (value: number): number => Math.floor(value / step) * step
  const roundDecimals = (value: number): number => Number(value.toFixed(6))
  return [
    roundDecimals(roundDown(lon - step)),
    roundDecimals(roundDown(lat - step)),
    roundDecimals(roundDown(lon + step) + step),
    roundDecimals(roundDown(lat + step) + step),
  ]
}
