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

interface BoardCallbacks {
  onChoose: (part: string) => void
  onPartChange: (positions: Position[]) => void
  onSketch: (geometry: Geometry | null) => void
  onDrawn: (geometry: Geometry) => void
}

/** Returns the handles of a single selected zone, or the active tool; null if nothing is drawn or edited. */
export function toDrawingBoard(
  { tool, part, conflicts, isMultiple }: EditState,
  { onlyZone, scheme, snapTo }: { onlyZone: Subject | null; scheme: Scheme; snapTo: readonly Geometry[] },
  { onChoose, onPartChange, onSketch, onDrawn }: BoardCallbacks,
): DrawingBoard | null {
  if (conflicts.length) return null
  if (tool === 'select' && (!onlyZone || isMultiple)) return null
  if (tool === 'split' && onlyZone?.now.geometry.type !== 'LineString') return null
  return {
    tool: boardTools[tool],
    parts: tool === 'select' && onlyZone ? toDrawingParts(onlyZone.now.geometry) : [],
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
