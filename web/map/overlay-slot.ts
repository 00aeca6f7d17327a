import type { MapLibreMap } from './new-map.ts'

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
  #wanted: T | null = null
  #before: string | undefined
  #isFetching = false
  #isGone = false

  constructor(map: MapLibreMap, engine: () => Promise<(map: MapLibreMap) => Overlay<T>>) {
    this.#map = map
    this.#engine = engine
  }

  /** What is wanted, whether it is drawn already or not. */
  get shown(): T | null {
    return this.#wanted
  }

  /** The layer under which it belongs. */
  below(before: string | undefined): void {
    if (before === this.#before) return
    this.#before = before
    this.#overlay?.show(this.#wanted, before)
  }

  show(value: T | null): void {
    if (value === this.#wanted) return
    this.#wanted = value
    if (this.#overlay) this.#overlay.show(value, this.#before)
    else if (value) void this.#load()
  }

  remove(): void {
    this.#isGone = true
    this.#overlay?.remove()
  }

  async #load(): Promise<void> {
    if (this.#isFetching) return
    this.#isFetching = true
    const make = await this.#engine()
    if (this.#isGone) return
    this.#overlay = make(this.#map)
    this.#overlay.show(this.#wanted, this.#before)
  }
}
