import type { LayerSpecification, SourceSpecification } from 'maplibre-gl'

/** What a shape looks like beyond its geometry; kept out of tiles, so that new numbers load none. */
export type ShapeState = Record<string, number | string | boolean>

/** Properties of one layer of a map, made by a function from data alone. */
export interface MapLayer {
  sources: Record<string, SourceSpecification>
  /** Drawn over streets, under all labels. */
  drawings: LayerSpecification[]
  labels: LayerSpecification[]
  /** The source whose shapes a pointer can touch and whose states are set; null where nothing answers. */
  pointerTarget: { source: string; sourceLayer: string; drawings: string[] } | null
  states: ReadonlyMap<string, ShapeState>
}

/** States of shapes that change past React. */
export interface StateSource {
  states: () => ReadonlyMap<string, ShapeState>
  /** Tells of every change; answers how to stop that. */
  subscribe: (listener: () => void) => () => void
}
