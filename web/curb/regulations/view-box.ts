import type { Box } from '#contract/place.ts'
import type { Viewport } from '#web/map/viewport.ts'

/** Curb zones are too small to be seen at a lower zoom. */
export const minZoneZoom = 13

/** Half the width of a wide screen, in pixels. */
const halfWidth = 1000
const worldPixels = 512

/**
 * The visible part of the map, rounded outward to a grid of the same size, so that small moves request the
 * same box. Null below the minimum zoom of zones.
 */
export function viewBox({ lon, lat, zoom }: Viewport): Box | null {
  if (zoom < minZoneZoom) return null
  const step = (halfWidth * 360) / (worldPixels * 2 ** Math.floor(zoom))
  const down = (value: number): number => Math.floor(value / step) * step
  const round = (value: number): number => Number(value.toFixed(6))
  return [
    round(down(lon - step)),
    round(down(lat - step)),
    round(down(lon + step) + step),
    round(down(lat + step) + step),
  ]
}
