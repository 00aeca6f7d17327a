import type { Geometry, Position } from '#contract/place.ts'
import type { Scheme } from '#web/kit/theme.ts'
import type { DrawingBoard } from '#web/map/drawing-tools/drawing-board.ts'
import type { EditState, Tool } from './edit-state.ts'
import type { Subject } from './zone-acts.ts'

const boardTools: Record<Tool, DrawingBoard['tool']> = {
  select: 'corners',
  street: 'line',
  line: 'line',
  split: 'point',
}

interface Calls {
  onPartChange: (positions: Position[]) => void
  onSketch: (geometry: Geometry | null) => void
  onDrawn: (geometry: Geometry) => void
}

const ignore = (): void => undefined

/** What the map draws with: the handles of the only selected line, or a tool. */
export function boardOf(
  { tool, conflicts, isMultiple }: EditState,
  only: Subject | null,
  scheme: Scheme,
  snapTo: readonly Geometry[],
  { onPartChange, onSketch, onDrawn }: Calls,
): DrawingBoard | null {
  const line = only?.now.geometry.type === 'LineString' ? only.now.geometry.coordinates : null
  if (conflicts.length) return null
  if (tool === 'select' && (!line || isMultiple)) return null
  if (tool === 'split' && !line) return null
  return {
    tool: boardTools[tool],
    parts: tool === 'select' && line ? [{ id: '0', kind: 'line', positions: line }] : [],
    chosen: tool === 'select' ? '0' : null,
    // A curb is drawn beside the center of its street, not on it.
    snapTo: tool === 'street' || tool === 'split' ? [] : snapTo,
    scheme,
    onChoose: ignore,
    onPartChange: (_, positions) => onPartChange(positions),
    onSketch,
    onDrawn,
  }
}
