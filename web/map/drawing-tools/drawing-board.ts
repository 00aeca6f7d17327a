import type { Geometry, Position } from '#contract/place.ts'
import type { Scheme } from '#web/kit/theme.ts'

/** What the pointer does: move corners, or draw. */
export type DrawingTool = 'corners' | 'polygon' | 'line' | 'point'

/** An editable ring, line or point. */
export interface DrawingPart {
  id: string
  kind: 'outline' | 'hole' | 'line' | 'point'
  /** Rings are closed: the first position equals the last. */
  positions: readonly Position[]
}

/** State and callbacks of the drawing tools. */
export interface DrawingBoard {
  tool: DrawingTool
  parts: readonly DrawingPart[]
  /** The part with corner handles. */
  selected: string | null
  /** Geometries that the pointer snaps to; empty without snapping. */
  snapTo: readonly Geometry[]
  scheme: Scheme
  onChoose: (partId: string) => void
  /** A corner was moved, added or removed. */
  onPartChange: (partId: string, positions: Position[]) => void
  /** The unfinished geometry while drawing; null when drawing ends. */
  onSketch: (geometry: Geometry | null) => void
  onDrawn: (geometry: Geometry) => void
}
