import type { Layer } from '@deck.gl/core'
import { MapLibreOverlay } from '@deck.gl/maplibre'
import type { Map as MapLibreMap } from 'maplibre-gl'

/** Draws deck.gl layers among the layers of the map. Import it only in files that are loaded on demand. */
export class DeckOverlay<T> {
  readonly #map: MapLibreMap
  readonly #layersOf: (value: T, before: string | undefined) => Layer[]
  readonly #overlay = new MapLibreOverlay({ interleaved: true, layers: [] })
  #value: T | null = null
  #before: string | undefined

  constructor(map: MapLibreMap, layersOf: (value: T, before: string | undefined) => Layer[]) {
    this.#map = map
    this.#layersOf = layersOf
    map.addControl(this.#overlay)
    map.on('idle', this.#restoreLayers)
    map.on('styledata', this.#restoreLayers)
  }

  show(value: T | null, before: string | undefined): void {
    this.#value = value
    this.#before = before
    this.#draw()
  }

  remove(): void {
    this.#map.off('idle', this.#restoreLayers)
    this.#map.off('styledata', this.#restoreLayers)
    this.#map.removeControl(this.#overlay)
  }

  #draw(): void {
    this.#overlay.setProps({ layers: this.#value ? this.#layersOf(this.#value, this.#before) : [] })
    this.#map.triggerRepaint()
  }

  /**
   * Adds the layers again if MapLibre lost them: a layer that was added before the style had loaded, or
   * removed with the old style, would stay above the labels or disappear.
   */
  readonly #restoreLayers = (): void => {
    if (!this.#value) return
    const group =
      this.#before === undefined
        ? 'deck-maplibre-layer-group-last'
        : `deck-maplibre-layer-group-before:${this.#before}`
    if (!this.#map.getLayersOrder().includes(group)) this.#draw()
  }
}
