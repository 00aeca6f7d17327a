import type { Viewport } from '#web/map/viewport.ts'
import { coveredMap } from './covered-map.ts'
import type { MapPageState } from './use-map-page.ts'

interface RegionView {
  lon: number
  lat: number
  mapZoom: number
}

/** Width of a map in pixels for which the zoom of a region is chosen. */
const referenceWidth = 900
/** Width in pixels of a map that is a part of a page, for its first view: it is not laid out yet. */
export const embeddedMapWidth = 480

/** Returns the initial view: that of the URL, else the region, from farther away on narrow maps. */
export function firstView(
  viewInUrl: readonly [number, number, number] | undefined,
  region: RegionView,
  width: number,
): { view: Viewport; isExact: boolean } {
  if (viewInUrl) {
    const [lon, lat, zoom] = viewInUrl
    return { view: { lon, lat, zoom }, isExact: true }
  }
  // One level farther away for half the width, at most 1.5 levels; never closer.
  const zoomChange = Math.max(-1.5, Math.min(0, Math.log2(width / referenceWidth)))
  return { view: { lon: region.lon, lat: region.lat, zoom: region.mapZoom + zoomChange }, isExact: false }
}

interface PageViewInput {
  page: MapPageState
  search: { view?: [lon: number, lat: number, zoom: number] | undefined }
  region: RegionView
  adjust: (changes: { view: [lon: number, lat: number, zoom: number] }) => void
  hasAxis?: boolean
}

/** Props of the map of a page: its initial view, the edges that the page covers, and the view in the URL. */
export function pageViewProps({ page, search, region, adjust, hasAxis = false }: PageViewInput) {
  const covered = coveredMap({ ...page, hasAxis })
  return {
    ...firstView(search.view, region, window.innerWidth - covered.left),
    covered,
    onViewChange: ({ lon, lat, zoom }: Viewport): void => adjust({ view: [lon, lat, zoom] }),
  }
}
