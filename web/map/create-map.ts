import type { Map as MapLibreMap, StyleSpecification } from 'maplibre-gl'
import { maplibregl } from './setup.ts'
import type { Viewport } from './viewport.ts'

export type { Map as MapLibreMap } from 'maplibre-gl'

export interface MapOptions {
  view: Viewport
  /** Pixels by which the view's middle stands off the canvas' middle, because something floats over the map. */
  offset: [x: number, y: number]
  isMetric: boolean
  texts: { title: string; zoomIn: string; zoomOut: string }
  /** Headers of requests to the own server. */
  requestHeaders: () => Record<string, string>
}

declare global {
  interface Window {
    /** Only where a test drives the browser. */
    __map?: MapLibreMap
  }
}

/** Another host's name may begin with ours. */
const isSameOrigin = (url: string): boolean => URL.canParse(url) && new URL(url).origin === location.origin

/** A map with its controls. Whoever waits for it watches `data-map-idle` on the page's root, which counts the times that all was drawn. */
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
    // Without a graphics card, smooth edges cost four fifths of the time.
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
  if (isAutomated) window.__map = map
  return map
}
