import type { Map as MapLibreMap, StyleSpecification } from 'maplibre-gl'
import { maplibregl } from './setup.ts'
import type { Viewport } from './viewport.ts'

export type { Map as MapLibreMap } from 'maplibre-gl'

export interface MapOptions {
  view: Viewport
  /** Offset of the view center from that of the canvas in pixels, for panels that float over the map. */
  offset: [x: number, y: number]
  isMetric: boolean
  texts: { title: string; zoomIn: string; zoomOut: string }
  /** Returns the headers of requests to our own server. */
  requestHeaders: () => Record<string, string>
}

declare global {
  interface Window {
    /** Set only when a test drives the browser. */
    __map?: MapLibreMap
  }
}

/** Compares origins, because the URL of another host may start with ours. */
const isSameOrigin = (url: string): boolean => URL.canParse(url) && new URL(url).origin === location.origin

/** Creates a map with its controls. `data-map-idle` on the root counts finished drawings, for tests. */
export function createMap(
  container: HTMLElement,
  style: StyleSpecification,
  { view, offset, isMetric, texts, requestHeaders }: MapOptions,
): MapLibreMap {
  const isAutomated = navigator.webdriver
  const map = new maplibregl.Map({
    container,
    style,
    center: [view.lon, view.lat],
    zoom: view.zoom,
    minZoom: 2,
    maxZoom: 20,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    maxPitch: 0,
    validateStyle: false,
    transformRequest: (url) => (isSameOrigin(url) ? { url, headers: requestHeaders() } : { url }),
    // Automated browsers have no GPU: antialiasing would take four fifths of their rendering time.
    canvasContextAttributes: { antialias: !isAutomated },
    fadeDuration: isAutomated ? 0 : 200,
    locale: {
      'Map.Title': texts.title,
      'NavigationControl.ZoomIn': texts.zoomIn,
      'NavigationControl.ZoomOut': texts.zoomOut,
    },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  map.addControl(new maplibregl.NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new maplibregl.ScaleControl({ unit: isMetric ? 'metric' : 'imperial' }), 'bottom-left')
  if (offset[0] !== 0 || offset[1] !== 0) map.easeTo({ center: [view.lon, view.lat], offset, duration: 0 })
  map.on('idle', () => {
    const root = document.documentElement
    root.dataset['mapIdle'] = String(Number(root.dataset['mapIdle'] ?? 0) + 1)
  })
  // The browser discards the WebGL buffer after each frame, so it is drawn again right before printing.
  const redraw = (): void => void map.redraw()
  window.addEventListener('beforeprint', redraw)
  map.once('remove', () => window.removeEventListener('beforeprint', redraw))
  if (isAutomated) window.__map = map
  return map
}
