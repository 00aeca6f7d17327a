import type { ShapeState } from './map-layer.ts'

/** States of shapes that change past React. */
export interface StateSource {
  states: () => ReadonlyMap<string, ShapeState>
  /** Tells of every change; answers how to stop that. */
  subscribe: (listener: () => void) => () => void
}
