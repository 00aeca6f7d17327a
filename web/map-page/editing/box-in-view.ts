import type { Box } from '#contract/place.ts'

/** From this zoom on a map shows few enough shapes of a large layer. */
const nearZoom = 14
/** Degrees to which a box is rounded, so that small movements request nothing new. */
const step = 0.01
/** Degrees on either side of the center that a wide screen shows at `nearZoom`. */
const reach = 0.03

/** The box around what a map shows; null from farther away. */
export function boxInView([lon, lat, zoom]: readonly [number, number, number]): Box | null {
  if (zoom < nearZoom) return null
  const half = reach / 2 ** (zoom - nearZoom)
  const [down, up] = [
    (value: number) => Number((Math.floor(value / step) * step).toFixed(2)),
    (value: number) => Number((Math.ceil(value / step) * step).toFixed(2)),
  ]
  // Screens are wider than high.
  return [down(lon - half), down(lat - half / 2), up(lon + half), up(lat + half / 2)]
}
