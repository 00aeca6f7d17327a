import type { MapLibreMap } from './create-map.ts'

/** An overlay that another engine draws on the map. */
export interface Overlay<T> {
  /** Draws a value below the layer `beforeLayer`, or on top. */
  show: (value: T | null, beforeLayer: string | undefined) => void
  remove: () => void
}

/** Manages an overlay and loads its engine when there is something to show. */
export class OverlaySlot<T> {
  readonly #map: MapLibreMap
  readonly #loadEngine: () => Promise<(map: MapLibreMap) => Overlay<T>>
  #overlay: Overlay<T> | null = null
  #value: T | null = null
  #beforeLayer: string | undefined
  #isFetching = false
  #isRemoved = false

  constructor(map: MapLibreMap, loadEngine: () => Promise<(map: MapLibreMap) => Overlay<T>>) {
    this.#map = map
    this.#loadEngine = loadEngine
  }

  /** The current value, whether it is drawn yet or not. */
  get current(): T | null {
    return this.#value
  }

  /** Sets the layer below which the overlay is drawn. */
  setBeforeLayer(beforeLayer: string | undefined): void {
    if (beforeLayer === this.#beforeLayer) return
    this.#beforeLayer = beforeLayer
    this.#overlay?.show(this.#value, beforeLayer)
  }
  show(value: T | null): void {
    if (value === this.#value) return
    this.#value = value
    if (this.#overlay) this.#overlay.show(value, this.#beforeLayer)
    else if (value) void this.#load()
  }

  /** Loads the engine before there is anything to show. */
  preload(): void {
    if (!this.#overlay) void this.#load()
  }
  remove(): void {
    this.#isRemoved = true
    this.#overlay?.remove()
  }
  async #load(): Promise<void> {
    if (this.#isFetching) return
    this.#isFetching = true
    const createOverlay = await this.#loadEngine()
    if (this.#isRemoved) return
    this.#overlay = createOverlay(this.#map)
    if (this.#value !== null) this.#overlay.show(this.#value, this.#beforeLayer)
  }
}
