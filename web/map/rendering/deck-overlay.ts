import type { Layer } from '@deck.gl/core'
import { MapLibreOverlay } from '@deck.gl/maplibre'
import type { Map as MapLibreMap } from 'maplibre-gl'

/** Draws deck.gl layers among the layers of the map. Import it only in files that are loaded on demand. */
export class DeckOverlay<T> {
  readonly #map: MapLibreMap
  readonly #createLayers: (value: T, beforeLayer: string | undefined) => Layer[]
  readonly #overlay = new MapLibreOverlay({ interleaved: true, layers: [] })
  #value: T | null = null
  #beforeLayer: string | undefined

  constructor(map: MapLibreMap, createLayers: (value: T, beforeLayer: string | undefined) => Layer[]) {
    this.#map = map
    this.#createLayers = createLayers
    map.addControl(this.#overlay)
    map.on('idle', this.#restoreLayers)
    map.on('styledata', this.#restoreLayers)
  }
  show(value: T | null, beforeLayer: string | undefined): void {
    this.#value = value
    this.#beforeLayer = beforeLayer
    this.#draw()
  }
  remove(): void {
    this.#map.off('idle', this.#restoreLayers)
    this.#map.off('styledata', this.#restoreLayers)
    this.#map.removeControl(this.#overlay)
  }

  #draw(): void {
    this.#overlay.setProps({ layers: this.#value ? this.#createLayers(this.#value, this.#beforeLayer) : [] })
    this.#map.triggerRepaint()
  }

  /**
   * Adds the layers again if MapLibre lost them: a layer that was added before the style had loaded, or
   * removed with the old style, would stay above the labels or disappear.
   */
  readonly #restoreLayers = (): void => {
    if (!this.#value) return
    const group =
      this.#beforeLayer === undefined
        ? 'deck-maplibre-layer-group-last'
        : `deck-maplibre-layer-group-before:${this.#beforeLayer}`
    if (!this.#map.getLayersOrder().includes(group)) this.#draw()
  }
}
