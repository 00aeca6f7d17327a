import type { Geometry } from '#contract/place.ts'
import type { Scheme } from '#web/kit/theme.ts'
import type { DrawingBoard } from '#web/map/drawing-tools/drawing-board.ts'
import type { ComparedOutline, DraftOutline } from '#web/map/layers/geography-shapes.ts'
import { toDrawingParts } from '#web/map-page/editing/drawing-parts.ts'
import { getChangeKind } from '../draft/draft.ts'
import { findSubject, type EditState, type Tool } from './edit-state.ts'
import type { EditingView } from './editing-view.ts'

/** What each tool draws: split a line across a shape, cut an area; merge draws nothing. */
const boardTools: Record<Tool, DrawingBoard['tool'] | null> = {
  select: 'corners',
  drawArea: 'polygon',
  drawLine: 'line',
  drawPoint: 'point',
  split: 'line',
  merge: null,
  cut: 'polygon',
}

export type BoardCallbacks = Pick<DrawingBoard, 'onChoose' | 'onPartChange' | 'onSketch' | 'onDrawn'>

/** Builds what the map shows of a session: the draft, the compared versions, and the active drawing. */
export function buildEditingView(
  state: EditState,
  scheme: Scheme,
  snapTo: readonly Geometry[],
  callbacks: BoardCallbacks,
): Omit<EditingView, 'hint' | 'onPick' | 'problems'> {
  const draft = state.history.now
  const conflict = state.conflicts.find(({ id }) => id === state.selected)
  // While a conflict is resolved, only its versions are drawn, and nothing can be edited.
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
  const showsCorners = tool === 'corners' && subject !== null
  // Corners can be moved only if a shape is selected; tools that draw need no selection.
  const board =
    tool !== null && (tool !== 'corners' || showsCorners)
      ? {
          tool,
          parts: showsCorners ? toDrawingParts(subject.form.geom) : [],
          selected: state.activePart,
          snapTo: state.isSnapping ? snapTo : [],
          scheme,
          ...callbacks,
        }
      : null
  const outlines = [...draft.values()]
    .filter(({ id }) => !showsCorners || id !== subject.id)
    .flatMap((shape): DraftOutline[] => {
      // A deleted shape is drawn as it was stored.
      const geom = (shape.now ?? shape.base)?.geom
      return geom ? [{ id: shape.id, geom, kind: getChangeKind(shape) }] : []
    })
  return {
    board,
    // The drawing board draws the selected shape, also before its first change.
    hidden: showsCorners ? [...new Set([...draft.keys(), subject.id])] : [...draft.keys()],
    draft: outlines,
    compared: [],
  }
}
