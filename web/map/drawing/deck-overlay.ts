import type { Layer } from '@deck.gl/core'
import { MapLibreOverlay } from '@deck.gl/maplibre'
import type { Map as MapLibreMap } from 'maplibre-gl'

/** Layers of deck.gl among those of the map; only files that are loaded on demand import it. */
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

  /** A layer handed over before the style had loaded, or lost with the old style, would lie over the labels for good, or nowhere: it is handed over again. */
  readonly #restoreLayers = (): void => {
    if (!this.#value) return
    const group =
      this.#before === undefined
        ? 'deck-maplibre-layer-group-last'
        : `deck-maplibre-layer-group-before:${this.#before}`
    if (!this.#map.getLayersOrder().includes(group)) this.#draw()
  }
}
