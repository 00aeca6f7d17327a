import type { Viewport } from './viewport.ts'

interface LinkedMap {
  look: (view: Viewport) => void
}

/** Synchronizes the views of maps that are side by side. */
export class ViewLink {
  readonly #maps = new Set<LinkedMap>()
  #isFollowing = false

  /** Adds a map. Returns a function that removes it. */
  join(map: LinkedMap): () => void {
    this.#maps.add(map)
    return () => void this.#maps.delete(map)
  }

  moved(from: LinkedMap | null, view: Viewport): void {
    // The maps that follow report a move as well, which must be ignored.
    if (this.#isFollowing) return
    this.#isFollowing = true
    for (const map of this.#maps) if (map !== from) map.look(view)
    this.#isFollowing = false
  }
}
