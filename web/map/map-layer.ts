import type { LayerSpecification, SourceSpecification } from 'maplibre-gl'

/** Feature state that styles a shape. Not part of the tiles, so that new values reload none. */
export type ShapeState = Record<string, number | string | boolean>

/** How the shapes of a layer are found under the pointer and identified. */
export interface PointerTarget {
  source: string
  /** Layer within the vector tiles of the source; null for GeoJSON. */
  sourceLayer: string | null
  /** Property with the id of a shape; the source promotes it (`promoteId`), so that states refer to it. */
  idProperty: string
  drawings: string[]
}

/** Style properties of a map layer, computed by a pure function of the data. */
export interface MapLayer {
  sources: Record<string, SourceSpecification>
  /** Drawn above land and water and below streets. */
  areas?: LayerSpecification[]
  /** Drawn above streets and below all labels. */
  drawings: LayerSpecification[]
  labels: LayerSpecification[]
  /** The source with shapes that react to the pointer and have states; null if there is none. */
  pointerTarget: PointerTarget | null
  states: ReadonlyMap<string, ShapeState>
}

/** Shape states that change outside of React. */
export interface StateSource {
  states: () => ReadonlyMap<string, ShapeState>
  /** Calls the listener on every change. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
}
