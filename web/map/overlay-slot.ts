import type { MapLibreMap } from './create-map.ts'

/** What is drawn on the map by another engine. */
export interface Overlay<T> {
  show: (value: T | null, before: string | undefined) => void
  remove: () => void
}

/** Where an overlay goes. Its engine is fetched when there is something to show, not before. */
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

  /** What is wanted, whether it is drawn already or not. */
  get current(): T | null {
    return this.#value
  }

  /** The layer under which it belongs. */
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

  remove(): void {
    this.#isRemoved = true
    this.#overlay?.remove()
  }

  async #load(): Promise<void> {
    if (this.#isFetching) return
    this.#isFetching = true
    const make = await this.#engine()
    if (this.#isRemoved) return
    this.#overlay = make(this.#map)
    this.#overlay.show(this.#value, this.#before)
  }
}
