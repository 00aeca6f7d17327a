import type { MapLibreMap } from './create-map.ts'

/** An overlay that another engine draws on the map. */
export interface Overlay<T> {
  show: (value: T | null, before: string | undefined) => void
  remove: () => void
}

/** Manages an overlay and loads its engine when there is something to show. */
export class OverlaySlot<T> {
  readonly #map: MapLibreMap
  readonly #engine: () => Promise<(map: MapLibreMap) => Overlay<T>>
  #overlay: Overlay<T> | null = null
  #value: T | null = null
  #before: string | undefined
  #isFetching = false
  #isRemoved = false

  constructor(map: MapLibreMap, engine: () => Promise<(map: MapLibreMap) => Overlay<T>>) {
    this.#map = map
    this.#engine = engine
  }

  /** The current value, whether it is drawn yet or not. */
  get current(): T | null {
    return this.#value
  }

  /** Sets the layer below which the overlay is drawn. */
  setBeforeLayer(before: string | undefined): void {
    if (before === this.#before) return
    this.#before = before
    this.#overlay?.show(this.#value, before)
  }

  show(value: T | null): void {
    if (value === this.#value) return
    this.#value = value
    if (this.#overlay) this.#overlay.show(value, this.#before)
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
    const createOverlay = await this.#engine()
    if (this.#isRemoved) return
    this.#overlay = createOverlay(this.#map)
    if (this.#value !== null) this.#overlay.show(this.#value, this.#before)
  }
}
