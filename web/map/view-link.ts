import type { Viewport } from './viewport.ts'

interface LinkedMap {
  look: (view: Viewport) => void
}

/** Maps side by side that look at the same place: where one moves, the others follow at once. */
export class ViewLink {
  readonly #maps = new Set<LinkedMap>()
  #isFollowing = false

  /** Answers how to leave. */
  join(map: LinkedMap): () => void {
    this.#maps.add(map)
    return () => void this.#maps.delete(map)
  }

  moved(from: LinkedMap | null, view: Viewport): void {
    // Those who follow move as well, and say so.
    if (this.#isFollowing) return
    this.#isFollowing = true
    for (const map of this.#maps) if (map !== from) map.look(view)
    this.#isFollowing = false
  }
}
