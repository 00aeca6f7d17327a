import type { LayerSpecification, SourceSpecification } from 'maplibre-gl'

/** How a shape looks beyond its geometry. Not part of the tiles, so that new values reload none. */
export type ShapeState = Record<string, number | string | boolean>

/** Style properties of a map layer, computed by a pure function of the data. */
export interface MapLayer {
  sources: Record<string, SourceSpecification>
  /** Drawn above streets and below all labels. */
  drawings: LayerSpecification[]
  labels: LayerSpecification[]
  /** The source with shapes that react to the pointer and have states; null if there is none. */
  pointerTarget: { source: string; sourceLayer: string; drawings: string[] } | null
  states: ReadonlyMap<string, ShapeState>
}

/** Shape states that change outside of React. */
export interface StateSource {
  states: () => ReadonlyMap<string, ShapeState>
  /** Calls the listener on every change. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
}
