/** View of a map: center of the canvas and zoom. */
export interface Viewport {
  lon: number
  lat: number
  zoom: number
}

/** Rounds a view for the URL: to about a meter and a hundredth of a zoom level. */
export const roundViewport = ({ lon, lat, zoom }: Viewport): Viewport => ({
  lon: Number(lon.toFixed(5)),
  lat: Number(lat.toFixed(5)),
  zoom: Number(zoom.toFixed(2)),
})

export const isSameViewport = (a: Viewport, b: Viewport): boolean =>
  a.lon === b.lon && a.lat === b.lat && a.zoom === b.zoom

interface LinkedMap {
  jumpTo: (view: Viewport) => void
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

  /** Moves the other maps to the view of the map that was moved. */
  handleMove(moved: LinkedMap | null, view: Viewport): void {
    // The maps that follow report a move as well; it must not be passed on.
    if (this.#isFollowing) return
    this.#isFollowing = true
    for (const map of this.#maps) if (map !== moved) map.jumpTo(view)
    this.#isFollowing = false
  }
}
