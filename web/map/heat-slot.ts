import type { HeatOverlay } from './drawing/heat-overlay.ts'
import type { HeatPoints } from './layers/heat-points.ts'
import type { MapLibreMap } from './new-map.ts'

/** Where the heat map goes. Its engine is fetched when there is something to show, not before. */
export class HeatSlot {
  readonly #map: MapLibreMap
  #overlay: HeatOverlay | null = null
  #wanted: HeatPoints | null = null
  #before: string | undefined
  #isFetching = false
  #isGone = false

  constructor(map: MapLibreMap) {
    this.#map = map
  }

  /** The label layer under which the heat belongs. */
  below(before: string | undefined): void {
    if (before === this.#before) return
    this.#before = before
    this.#overlay?.show(this.#wanted, before)
  }

  show(heat: HeatPoints | null): void {
    if (heat === this.#wanted) return
    this.#wanted = heat
    if (this.#overlay) this.#overlay.show(heat, this.#before)
    else if (heat) void this.#load()
  }

  remove(): void {
    this.#isGone = true
    this.#overlay?.remove()
  }

  async #load(): Promise<void> {
    if (this.#isFetching) return
    this.#isFetching = true
    const { HeatOverlay } = await import('./drawing/heat-overlay.ts')
    if (this.#isGone) return
    this.#overlay = new HeatOverlay(this.#map)
    this.#overlay.show(this.#wanted, this.#before)
  }
}
