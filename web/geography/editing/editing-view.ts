import type { Position } from '#contract/place.ts'
import type { DrawingBoard } from '#web/map/drawing-tools/drawing-board.ts'
import type { ComparedOutline, DraftOutline } from '#web/map/layers/geography-shapes.ts'

/** What editing puts on the map. The editor is loaded when somebody edits; the screen knows it by this alone. */
export interface EditingView {
  board: DrawingBoard | null
  /** Stored shapes that the draft or the drawing replaces. */
  hidden: readonly string[]
  draft: readonly DraftOutline[]
  compared: readonly ComparedOutline[]
  problems: readonly Position[]
  /** What a press on a shape does in place of choosing it. */
  onPick: ((id: string | null) => void) | null
  /** Said over the map. */
  hint: string | null
}
