import { HeatmapLayer } from '@deck.gl/aggregation-layers'
import { MapLibreOverlay } from '@deck.gl/maplibre'
import type { Map as MapLibreMap } from 'maplibre-gl'
import { heatLayer } from '../layers/heat-layer.ts'
import type { HeatPoint, HeatPoints } from '../layers/heat-points.ts'

/** The only file that loads deck.gl, and itself loaded on demand. */
export class HeatOverlay {
  readonly #map: MapLibreMap
  readonly #overlay = new MapLibreOverlay({ interleaved: true, layers: [] })
  #heat: HeatPoints | null = null
  #before: string | undefined

  constructor(map: MapLibreMap) {
    this.#map = map
    map.addControl(this.#overlay)
    map.on('idle', this.#place)
    map.on('styledata', this.#place)
  }

  show(heat: HeatPoints | null, before: string | undefined): void {
    this.#heat = heat
    this.#before = before
    this.#draw()
  }

  remove(): void {
    this.#map.off('idle', this.#place)
    this.#map.off('styledata', this.#place)
    this.#map.removeControl(this.#overlay)
  }

  #draw(): void {
    this.#overlay.setProps({ layers: this.#heat ? [new HeatmapLayer<HeatPoint, { beforeId?: string }>(heatLayer(this.#heat, this.#before))] : [] })
    this.#map.triggerRepaint()
  }

  /** A layer handed over before the style had loaded, or lost with the old style, would lie over the labels for good: it is handed over again. */
  readonly #place = (): void => {
    if (!this.#heat || this.#before === undefined) return
    if (!this.#map.getLayersOrder().includes(`deck-maplibre-layer-group-before:${this.#before}`)) this.#draw()
  }
}
