import type { Geometry, Position } from '#contract/place.ts'
import type { Scheme } from '#web/kit/theme.ts'

/** What the pointer does: moves corners, or draws. */
export type DrawingTool = 'corners' | 'polygon' | 'line' | 'point'

/** A ring, a line or a point that is edited. */
export interface DrawingPart {
  id: string
  kind: 'outline' | 'hole' | 'line' | 'point'
  /** Rings are closed: the first place is also the last. */
  positions: readonly Position[]
}

/** All that is drawn with on a map, and who is told of it. */
export interface DrawingBoard {
  tool: DrawingTool
  parts: readonly DrawingPart[]
  /** The part whose corners have handles. */
  chosen: string | null
  /** Places and edges that the pointer snaps to; none: it does not snap. */
  snapTo: readonly Geometry[]
  scheme: Scheme
  onChoose: (partId: string) => void
  /** A corner was moved, added or taken away. */
  onPartChange: (partId: string, positions: Position[]) => void
  /** What is being drawn, as far as it is; null when that is over. */
  onSketch: (geometry: Geometry | null) => void
  onDrawn: (geometry: Geometry) => void
}
