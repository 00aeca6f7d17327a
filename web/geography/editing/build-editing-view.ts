import type { Geometry, Position } from '#contract/place.ts'
import type { Scheme } from '#web/kit/theme.ts'
import type { DrawingBoard } from '#web/map/drawing-tools/drawing-board.ts'
import type { ComparedOutline, DraftOutline } from '#web/map/layers/geography-shapes.ts'
import { toDrawingParts } from '#web/map-page/editing/drawing-parts.ts'
import { findSubject, type EditState, type Tool } from './edit-state.ts'
import type { EditingView } from './editing-view.ts'

const boardTools: Record<Tool, DrawingBoard['tool'] | null> = {
  select: 'corners',
  drawArea: 'polygon',
  drawLine: 'line',
  drawPoint: 'point',
  split: 'line',
  merge: null,
  cut: 'polygon',
}

export interface BoardCalls {
  onChoose: (partId: string) => void
  onPartChange: (partId: string, positions: Position[]) => void
  onSketch: (geometry: Geometry | null) => void
  onDrawn: (geometry: Geometry) => void
}

/** What is drawn on the map for a session: the draft, the compared versions, and the active drawing. */
export function buildEditingView(
  state: EditState,
  scheme: Scheme,
  snapTo: readonly Geometry[],
  calls: BoardCalls,
): Omit<EditingView, 'hint' | 'onPick' | 'problems'> {
  const draft = state.history.now
  const conflict = state.conflicts.find(({ id }) => id === state.selected)
  if (conflict) {
    const sides: [ComparedOutline['role'], Geometry | undefined][] = [
      ['base', conflict.base.geom],
      ['theirs', conflict.theirs?.geom],
      ['mine', conflict.mine?.geom],
    ]
    return {
      board: null,
      hidden: [...draft.keys()],
      draft: [],
      compared: sides.flatMap(([role, geom]) => (geom ? [{ role, geom }] : [])),
    }
  }
  const subject = findSubject(state, state.selected)
  const tool = boardTools[state.tool]
  const isAtCorners = tool === 'corners' && subject !== null
  const board =
    tool !== null && (tool !== 'corners' || isAtCorners)
      ? {
          tool,
          parts: isAtCorners ? toDrawingParts(subject.form.geom) : [],
          selected: state.part,
          snapTo: state.isSnapping ? snapTo : [],
          scheme,
          ...calls,
        }
      : null
  const outlines = [...draft.values()]
    .filter(({ id }) => !isAtCorners || id !== subject.id)
    .flatMap(({ id, base, now }): DraftOutline[] => {
      const geom = (now ?? base)?.geom
      return geom
        ? [{ id, geom, kind: base === null ? 'created' : now === null ? 'deleted' : 'changed' }]
        : []
    })
  return {
    board,
    hidden: isAtCorners ? [...new Set([...draft.keys(), subject.id])] : [...draft.keys()],
    draft: outlines,
    compared: [],
  }
}
