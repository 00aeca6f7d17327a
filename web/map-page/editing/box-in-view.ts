import type { Box } from '#contract/place.ts'

/** From this zoom on, the view contains few enough shapes of a large layer to load them. */
const minZoom = 14
/** Boxes are rounded to this many degrees, so that small movements request nothing new. */
const roundingDegrees = 0.01
/** Degrees on either side of the center that a wide screen shows at `minZoom`. */
const halfWidthDegrees = 0.03

/** Returns the rounded box of a view (longitude, latitude, zoom); null below `minZoom`. */
export function boxInView([lon, lat, zoom]: readonly [number, number, number]): Box | null {
  if (zoom < minZoom) return null
  const halfWidth = halfWidthDegrees / 2 ** (zoom - minZoom)
  const roundDown = (value: number) =>
    Number((Math.floor(value / roundingDegrees) * roundingDegrees).toFixed(2))
  const roundUp = (value: number) => Number((Math.ceil(value / roundingDegrees) * roundingDegrees).toFixed(2))
  // Screens are wider than high, so half the width suffices.
  const halfHeight = halfWidth / 2
  return [
    roundDown(lon - halfWidth),
    roundDown(lat - halfHeight),
    roundUp(lon + halfWidth),
    roundUp(lat + halfHeight),
  ]
}
