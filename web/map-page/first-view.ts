import type { Viewport } from '#web/map/viewport.ts'

interface Centerd {
  lon: number
  lat: number
  mapZoom: number
}

/** Width in pixels for which regions choose their zoom. */
const usualWidth = 900

/** Where the map looks first: where the address bar says, else at the region, from farther away where there is less room. */
export function firstView(
  asked: readonly [number, number, number] | undefined,
  region: Centerd,
  width: number,
): { view: Viewport; isExact: boolean } {
  if (asked) return { view: { lon: asked[0], lat: asked[1], zoom: asked[2] }, isExact: true }
  const farther = Math.max(-1.5, Math.min(0, Math.log2(width / usualWidth)))
  return { view: { lon: region.lon, lat: region.lat, zoom: region.mapZoom + farther }, isExact: false }
}
