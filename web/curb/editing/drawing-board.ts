import type { Geometry, Position } from '#contract/place.ts'
import type { Scheme } from '#web/kit/theme.ts'
import { toDrawingParts } from '#web/map-page/editing/drawing-parts.ts'
import type { DrawingBoard } from '#web/map/drawing-tools/drawing-board.ts'
import type { EditState, Tool } from './edit-state.ts'
import type { Subject } from './zone-operations.ts'

const boardTools: Record<Tool, DrawingBoard['tool']> = {
  select: 'corners',
  street: 'line',
  line: 'line',
  split: 'point',
}

interface Calls {
  onChoose: (part: string) => void
  onPartChange: (positions: Position[]) => void
  onSketch: (geometry: Geometry | null) => void
  onDrawn: (geometry: Geometry) => void
}

/** What is drawn or edited on the map: the handles of a single selected zone, or the active tool. */
export function drawingBoardFor(
  { tool, part, conflicts, isMultiple }: EditState,
  { only, scheme, snapTo }: { only: Subject | null; scheme: Scheme; snapTo: readonly Geometry[] },
  { onChoose, onPartChange, onSketch, onDrawn }: Calls,
): DrawingBoard | null {
  if (conflicts.length) return null
  if (tool === 'select' && (!only || isMultiple)) return null
  if (tool === 'split' && only?.now.geometry.type !== 'LineString') return null
  return {
    tool: boardTools[tool],
    parts: tool === 'select' && only ? toDrawingParts(only.now.geometry) : [],
    selected: tool === 'select' ? part : null,
    // Curbs are drawn beside the center of a street and must not snap to it.
    snapTo: tool === 'street' || tool === 'split' ? [] : snapTo,
    scheme,
    onChoose,
    onPartChange: (_, positions) => onPartChange(positions),
    onSketch,
    onDrawn,
  }
}
