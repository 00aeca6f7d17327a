import type { Viewport } from '#web/map/viewport.ts'

interface RegionView {
  lon: number
  lat: number
  mapZoom: number
}

/** Width of a map in pixels for which the zoom of a region is chosen. */
const referenceWidth = 900
/** Width in pixels of a map that is a part of a page, for its first view: it is not laid out yet. */
export const embeddedMapWidth = 480

/** The initial view: that of the URL, else the region, from farther away on narrow maps. */
export function firstView(
  viewInUrl: readonly [number, number, number] | undefined,
  region: RegionView,
  width: number,
): { view: Viewport; isExact: boolean } {
  if (viewInUrl) {
    const [lon, lat, zoom] = viewInUrl
    return { view: { lon, lat, zoom }, isExact: true }
  }
  // One level for half the width, at most 1.5 levels.
  const zoomChange = Math.max(-1.5, Math.min(0, Math.log2(width / referenceWidth)))
  return { view: { lon: region.lon, lat: region.lat, zoom: region.mapZoom + zoomChange }, isExact: false }
}
