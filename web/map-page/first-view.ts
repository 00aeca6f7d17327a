import type { Viewport } from '#web/map/viewport.ts'

interface RegionView {
  lon: number
  lat: number
  mapZoom: number
}

/** Width in pixels for which regions choose their zoom. */
const referenceWidth = 900

/** Where the map looks first: where the address bar says, else at the region, from farther away where there is less room. */
export function firstView(
  viewInUrl: readonly [number, number, number] | undefined,
  region: RegionView,
  width: number,
): { view: Viewport; isExact: boolean } {
  if (viewInUrl) return { view: { lon: viewInUrl[0], lat: viewInUrl[1], zoom: viewInUrl[2] }, isExact: true }
  const farther = Math.max(-1.5, Math.min(0, Math.log2(width / referenceWidth)))
  return { view: { lon: region.lon, lat: region.lat, zoom: region.mapZoom + farther }, isExact: false }
}
