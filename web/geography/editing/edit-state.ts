import type { Shape } from '#contract/geography.ts'
import type { Geometry, Position } from '#contract/place.ts'
import { startHistory, redo, addStep, undo, type UndoHistory } from '#web/map-page/editing/undo-history.ts'
import { toDrawingParts, replacePart } from '#web/map-page/editing/drawing-parts.ts'
import { resolveToMine, resolveToTheirs, type Conflict } from '../draft/conflicts.ts'
import {
  emptyDraft,
  isNewId,
  putShape,
  revertShape,
  storedForm,
  type Draft,
  type ShapeForm,
  type StoredForm,
} from '../draft/draft.ts'
import {
  cutShape,
  drawShape,
  fillShape,
  repairShape,
  mergeShapes,
  splitShape,
  type EditResult,
  type RefusalReason,
  type Subject,
} from '../geometry/area-operations.ts'

export type Tool = 'select' | 'drawArea' | 'drawLine' | 'drawPoint' | 'split' | 'merge' | 'cut'

/** The state of an editing session. */
export interface EditState {
  history: UndoHistory<Draft>
  /** Stored shapes that have been loaded. */
  storedShapes: ReadonlyMap<string, StoredForm>
  selected: string | null
  tool: Tool
  /** The ring, line or point whose corners have handles. */
  activePart: string | null
  isSnapping: boolean
  /** Why the last action was refused. */
  refusal: RefusalReason | null
  /** Shapes that other users saved in the meantime. */
  conflicts: readonly Conflict[]
}

/** What the user or the server does during a session. */
export type EditAction =
  | { type: 'known'; shapes: readonly Shape[] }
  | { type: 'select'; id: string | null }
  | { type: 'tool'; tool: Tool }
  | { type: 'part'; id: string }
  | { type: 'snap'; on: boolean }
  | { type: 'moved'; part: string; positions: readonly Position[] }
  | { type: 'drawn'; geometry: Geometry; name: string }
  | { type: 'merge'; id: string }
  | { type: 'form'; id: string; form: Partial<Pick<ShapeForm, 'name' | 'description'>> }
  | { type: 'fill' | 'repair' | 'remove' | 'undo' | 'redo' | 'discard' }
  | { type: 'revert'; id: string }
  | {
      type: 'saved'
      /** The draft that was sent. */
      draft: Draft
      shapes: readonly Shape[]
      /** Ids of created shapes: temporary to stored. */
      ids: ReadonlyMap<string, string>
    }
  | { type: 'conflicts'; conflicts: readonly Conflict[] }
  | { type: 'resolve'; id: string; keep: 'mine' | 'theirs' }

/** Returns the state of the editor at the start, with a restored or empty draft. */
export const beginEditing = (draft: Draft, selected: string | null): EditState => ({
  history: startHistory(draft),
  storedShapes: new Map(),
  selected,
  tool: 'select',
  activePart: null,
  isSnapping: true,
  refusal: null,
  conflicts: [],
})

/** Finds the current form of a shape in the session; null if it is unknown or deleted. */
export function findSubject(
  { history, storedShapes: known }: Pick<EditState, 'history' | 'storedShapes'>,
  id: string | null,
): Subject | null {
  if (id === null) return null
  const draftShape = history.now.get(id)
  if (draftShape) return draftShape.now && { id, base: draftShape.base, form: draftShape.now }
  const base = known.get(id)
  return base ? { id, base, form: { name: base.name, description: base.description, geom: base.geom } } : null
}

/** The reducer of an editing session. */
export function editReducer(state: EditState, action: EditAction): EditState {
  return withValidSelection(applyAction({ ...state, refusal: null }, action))
}

/** Returns the state after an action. An action that cannot be applied sets `refused`. */
function applyAction(state: EditState, action: EditAction): EditState {
  const draft = state.history.now
  const subject = findSubject(state, state.selected)
  switch (action.type) {
    case 'known':
      return {
        ...state,
        storedShapes: new Map([
          ...state.storedShapes,
          ...action.shapes.map((shape): [string, StoredForm] => [shape.shape_uuid, storedForm(shape)]),
        ]),
      }
    case 'select':
      return action.id === state.selected ? state : { ...state, selected: action.id, activePart: null }
    case 'tool':
      return { ...state, tool: action.tool === state.tool ? 'select' : action.tool }
    case 'part':
      return { ...state, activePart: action.id }
    case 'snap':
      return { ...state, isSnapping: action.on }
    case 'moved':
      return subject
        ? stepTo(
            state,
            putShape(draft, subject.id, subject.base, {
              ...subject.form,
              geom: replacePart(subject.form.geom, action.part, action.positions),
            }),
          )
        : state
    case 'drawn':
      return {
        ...withResult(state, finishDrawing(state, subject, action.geometry, action.name)),
        tool: 'select',
      }
    case 'merge':
      return { ...withResult(state, mergeInto(state, subject, action.id)), tool: state.tool }
    case 'form':
      return withForm(state, action.id, action.form)
    case 'fill':
      return subject ? withResult(state, fillShape(draft, subject, state.activePart)) : state
    case 'repair':
      return subject ? withResult(state, repairShape(draft, subject)) : state
    case 'remove':
      return subject
        ? { ...stepTo(state, putShape(draft, subject.id, subject.base, null)), selected: null }
        : state
    case 'undo':
      return { ...state, history: undo(state.history) }
    case 'redo':
      return { ...state, history: redo(state.history) }
    case 'discard':
      return { ...state, history: startHistory(new Map()), conflicts: [] }
    case 'revert':
      return stepTo(state, revertShape(draft, action.id))
    case 'saved': {
      const withKnown = applyAction(state, { type: 'known', shapes: action.shapes })
      return {
        ...withKnown,
        history: startHistory(withLaterEdits(withKnown, action)),
        conflicts: [],
        selected: state.selected && (action.ids.get(state.selected) ?? state.selected),
      }
    }
    case 'conflicts':
      return {
        ...state,
        conflicts: action.conflicts,
        tool: 'select',
        selected: action.conflicts[0]?.id ?? state.selected,
      }
    case 'resolve':
      return withResolved(state, action.id, action.keep)
  }
}

const stepTo = (state: EditState, draft: Draft): EditState => ({
  ...state,
  history: addStep(state.history, draft),
})
const withResult = (state: EditState, result: EditResult): EditState =>
  'refused' in result
    ? { ...state, refusal: result.refused }
    : { ...stepTo(state, result.draft), selected: result.selected }

function finishDrawing(
  state: EditState,
  subject: Subject | null,
  geometry: Geometry,
  name: string,
): EditResult {
  const draft = state.history.now
  if (state.tool === 'split')
    return subject && geometry.type === 'LineString'
      ? splitShape(draft, subject, geometry.coordinates)
      : { refused: 'notAreas' }
  if (state.tool === 'cut')
    return subject && geometry.type === 'Polygon'
      ? cutShape(draft, subject, geometry)
      : { refused: 'notAreas' }
  return drawShape(draft, geometry, name)
}

function mergeInto(state: EditState, subject: Subject | null, id: string): EditResult {
  const other = findSubject(state, id)
  return subject && other ? mergeShapes(state.history.now, subject, other) : { refused: 'notAreas' }
}

function withForm(state: EditState, id: string, form: Partial<ShapeForm>): EditState {
  const subject = findSubject(state, id)
  if (!subject) return state
  const next = { ...subject.form, ...form }
  return next.name === subject.form.name && next.description === subject.form.description
    ? state
    : stepTo(state, putShape(state.history.now, id, subject.base, next))
}

/** Reapplies edits made during the request that saved a draft to what is stored now. */
function withLaterEdits(
  { history, storedShapes: known }: EditState,
  saved: { draft: Draft; ids: ReadonlyMap<string, string> },
): Draft {
  let laterEdits = emptyDraft
  for (const shape of history.now.values()) {
    if (shape === saved.draft.get(shape.id)) continue
    const id = saved.ids.get(shape.id) ?? shape.id
    laterEdits = putShape(laterEdits, id, known.get(id) ?? shape.base, shape.now)
  }
  return laterEdits
}

function withResolved(state: EditState, id: string, keep: 'mine' | 'theirs'): EditState {
  const conflict = state.conflicts.find((conflict) => conflict.id === id)
  if (!conflict) return state
  const resolve = keep === 'mine' ? resolveToMine : resolveToTheirs
  const draft = resolve(state.history.now, conflict)
  const knownShapes = new Map(state.storedShapes)
  if (conflict.theirs) knownShapes.set(id, conflict.theirs)
  else knownShapes.delete(id)
  const conflicts = state.conflicts.filter((other) => other !== conflict)
  // Earlier steps are based on shapes that are no longer stored, so the history starts over.
  return {
    ...state,
    history: startHistory(draft),
    storedShapes: knownShapes,
    conflicts,
    selected: conflicts[0]?.id ?? state.selected,
  }
}

/** Clears the selection if its shape no longer exists. */
function withValidSelection(state: EditState): EditState {
  const { history, selected } = state
  const isGone = selected !== null && isNewId(selected) && !history.now.has(selected)
  const subject = isGone ? null : findSubject(state, selected)
  const parts = subject ? toDrawingParts(subject.form.geom) : []
  const part = parts.some(({ id }) => id === state.activePart) ? state.activePart : (parts[0]?.id ?? null)
  return { ...state, selected: isGone ? null : selected, activePart: part }
}
