import type { Position } from '#contract/place.ts'
import type { DrawingBoard } from '#web/map/drawing-tools/drawing-board.ts'
import type { ComparedOutline, DraftOutline } from '#web/map/layers/geography-shapes.ts'

/** What the editor adds to the map. The screen imports only this type; the editor's code is loaded later. */
export interface EditingView {
  board: DrawingBoard | null
  /** Stored shapes that the draft or the drawing replaces. */
  hidden: readonly string[]
  draft: readonly DraftOutline[]
  compared: readonly ComparedOutline[]
  problems: readonly Position[]
  /** Replaces the selection of a shape when it is pressed. */
  onPick: ((id: string | null) => void) | null
  /** A hint shown over the map. */
  hint: string | null
}
