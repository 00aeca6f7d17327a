import type { Box } from '#contract/place.ts'
import type { Viewport } from '#web/map/viewport.ts'

/** Pixels of a tile's side: a map of zoom 0 is one tile. */
const tile = 512

/** Whether anything of a box is on a map of so many pixels. */
export function isInView(
  [west, south, east, north]: Box,
  { lon, lat, zoom }: Viewport,
  width: number,
  height: number,
): boolean {
  const degrees = 360 / (tile * 2 ** zoom)
  const [across, up] = [(degrees * width) / 2, (degrees * Math.cos((lat * Math.PI) / 180) * height) / 2]
  return west <= lon + across && east >= lon - across && south <= lat + up && north >= lat - up
}
