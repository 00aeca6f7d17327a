import type { CurbEditZone, CurbZoneForm } from '#contract/curb-edits.ts'
import type { Position } from '#contract/place.ts'
import { replacePart } from '#web/map-page/editing/drawing-parts.ts'
import { startHistory, redo, addStep, undo, type UndoHistory } from '#web/map-page/editing/undo-history.ts'
import type { CurbAlong } from './along-street.ts'
import {
  type BulkChange,
  changeZones,
  drawZone,
  mergeZones,
  type EditResult,
  type RefusalReason,
  splitZone,
  type Subject,
} from './zone-operations.ts'
import {
  emptyDraft,
  findChangedFields,
  toForm,
  isNewId,
  nextNewId,
  putZone,
  revertZone,
  type ZoneDraft,
} from './zone-draft.ts'

export type Tool = 'select' | 'street' | 'line' | 'split'

/** A zone that another user saved during editing: `mine` is null if I ended it, `theirs` if they did. */
export interface Conflict {
  id: string
  mine: CurbZoneForm | null
  theirs: CurbEditZone | null
}

/** The state of an editing session. */
export interface EditState {
  history: UndoHistory<ZoneDraft>
  /** Stored zones that have been loaded. */
  loadedZones: ReadonlyMap<string, CurbEditZone>
  /** Ids in the order of selection. */
  selected: readonly string[]
  /** Id of the line or ring of the selected zone with visible handles. */
  part: string
  /** Whether selecting a zone adds it to the selection. */
  isMultiple: boolean
  tool: Tool
  isSnapping: boolean
  /** Why the last action was refused. */
  refused: RefusalReason | null
  conflicts: readonly Conflict[]
}

export type EditAction =
  | { type: 'loaded'; zones: readonly CurbEditZone[] }
  | { type: 'select'; ids: readonly string[] }
  | { type: 'pick'; id: string | null }
  | { type: 'multiple'; on: boolean }
  | { type: 'tool'; tool: Tool }
  | { type: 'snap'; on: boolean }
  | { type: 'drawn'; curb: CurbAlong | null }
  | { type: 'part'; part: string }
  | { type: 'moved'; positions: readonly Position[] }
  | { type: 'split'; cut: Position | number }
  | { type: 'merge' | 'remove' | 'undo' | 'redo' | 'discard' }
  | { type: 'change'; change: BulkChange }
  | { type: 'revert'; id: string }
  | {
      type: 'saved'
      draft: ZoneDraft
      zones: readonly CurbEditZone[]
      ended: readonly string[]
      ids: ReadonlyMap<string, string>
    }
  | { type: 'conflicts'; conflicts: readonly Conflict[] }
  | { type: 'resolve'; id: string; choice: 'mine' | 'theirs' }

/** Id of a zone's line, or of the outline of its first area. */
const firstPart = '0:0'

/** Returns the state of the editor at the start, with a restored or empty draft. */
export const beginEditing = (draft: ZoneDraft): EditState => ({
  history: startHistory(draft),
  loadedZones: new Map(),
  selected: [],
  part: firstPart,
  isMultiple: false,
  tool: 'select',
  isSnapping: true,
  refused: null,
  conflicts: [],
})

/** Finds the current state of a zone in the session; null if it is unknown or ended. */
export function findSubject(
  { history, loadedZones }: Pick<EditState, 'history' | 'loadedZones'>,
  id: string,
): Subject | null {
  const drafted = history.now.get(id)
  if (drafted) return drafted.now && { ...drafted, now: drafted.now }
  const base = loadedZones.get(id)
  return base ? { id, base, now: toForm(base), from: [] } : null
}

/** Finds the selected zones as they are in the draft. */
export const findSubjects = (state: EditState): Subject[] =>
  state.selected.flatMap((id) => findSubject(state, id) ?? [])

/** The reducer of an editing session. */
export function editReducer(state: EditState, action: EditAction): EditState {
  const next = applyAction({ ...state, refused: null }, action)
  const selected = next.selected.filter((id) => !isNewId(id) || next.history.now.has(id))
  return selected.length === next.selected.length ? next : { ...next, selected }
}

/** Returns the state after an action. An action that cannot be applied sets `refused`. */
function applyAction(state: EditState, action: EditAction): EditState {
  const draft = state.history.now
  const subjects = findSubjects(state)
  const [onlyZone] = subjects.length === 1 ? subjects : []
  switch (action.type) {
    case 'loaded':
      return {
        ...state,
        loadedZones: new Map([
          ...state.loadedZones,
          ...action.zones.map((zone): [string, CurbEditZone] => [zone.curb_zone_id, zone]),
        ]),
      }
    case 'select':
      return { ...state, selected: [...new Set(action.ids)], part: firstPart }
    case 'pick':
      return { ...state, selected: nextSelection(state, action.id), part: firstPart }
    case 'part':
      return { ...state, part: action.part }
    case 'multiple':
      return { ...state, isMultiple: action.on }
    case 'tool':
      return { ...state, tool: action.tool === state.tool ? 'select' : action.tool }
    case 'snap':
      return { ...state, isSnapping: action.on }
    case 'drawn':
      return action.curb
        ? { ...withResult(state, drawZone(draft, action.curb)), tool: state.tool }
        : { ...state, refused: 'noStreet' }
    case 'moved':
      return onlyZone
        ? stepTo(
            state,
            putZone(draft, {
              ...onlyZone,
              now: {
                ...onlyZone.now,
                geometry: replacePart(onlyZone.now.geometry, state.part, action.positions),
              },
            }),
          )
        : state
    case 'split':
      return onlyZone
        ? { ...withResult(state, splitZone(draft, onlyZone, action.cut)), tool: 'select' }
        : state
    case 'merge':
      return withResult(state, mergeZones(draft, subjects))
    case 'remove':
      return {
        ...stepTo(
          state,
          subjects.reduce((next, subject) => putZone(next, { ...subject, now: null, from: [] }), draft),
        ),
        selected: [],
      }
    case 'change':
      return stepTo(state, changeZones(draft, subjects, action.change))
    case 'undo':
      return { ...state, history: undo(state.history) }
    case 'redo':
      return { ...state, history: redo(state.history) }
    case 'discard':
      return { ...state, history: startHistory(emptyDraft), conflicts: [] }
    case 'revert':
      return stepTo(state, revertZone(draft, action.id))
    case 'saved':
      return withSaved(state, action)
    case 'conflicts':
      return {
        ...state,
        conflicts: action.conflicts,
        tool: 'select',
        selected: action.conflicts.map(({ id }) => id),
      }
    case 'resolve':
      return withResolved(state, action.id, action.choice)
  }
}

/** Returns the selection after a click on a zone, or beside all zones (null). */
const nextSelection = ({ selected, isMultiple }: EditState, id: string | null): readonly string[] => {
  if (id === null) return isMultiple ? selected : []
  if (!isMultiple) return [id]
  return selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id]
}

/** Adds a draft to the history, unless it has the same changes as the current one. */
const stepTo = (state: EditState, draft: ZoneDraft): EditState => {
  const previous = state.history.now
  const isUnchanged =
    previous.size === draft.size &&
    [...draft.values()].every((zone) => {
      const earlier = previous.get(zone.id)
      if (!earlier || (earlier.now === null) !== (zone.now === null)) return false
      return (
        earlier.now === zone.now ||
        (earlier.now && zone.now && !findChangedFields(earlier.now, zone.now).length)
      )
    })
  return isUnchanged ? state : { ...state, history: addStep(state.history, draft) }
}
const withResult = (state: EditState, result: EditResult): EditState =>
  'refused' in result
    ? { ...state, refused: result.refused }
    : { ...stepTo(state, result.draft), selected: result.selected }

/** Returns the state after a save; `ids` maps ids of the draft to stored ones. */
function withSaved(
  state: EditState,
  { draft, zones, ended, ids }: Extract<EditAction, { type: 'saved' }>,
): EditState {
  const loadedZones = new Map(state.loadedZones)
  for (const id of ended) loadedZones.delete(id)
  for (const zone of zones) loadedZones.set(zone.curb_zone_id, zone)
  // Edits made during the request are reapplied to what is stored now.
  let unsaved = emptyDraft
  for (const zone of state.history.now.values()) {
    if (zone === draft.get(zone.id)) continue
    const id = ids.get(zone.id) ?? zone.id
    unsaved = putZone(unsaved, { ...zone, id, base: loadedZones.get(id) ?? zone.base })
  }
  return {
    ...state,
    loadedZones: loadedZones,
    history: startHistory(unsaved),
    conflicts: [],
    selected: state.selected
      .map((id) => ids.get(id) ?? id)
      .filter((id) => loadedZones.has(id) || unsaved.has(id)),
  }
}

/** Returns the state after a conflict was resolved with one of the two versions. */
function withResolved(state: EditState, id: string, choice: 'mine' | 'theirs'): EditState {
  const conflict = state.conflicts.find((candidate) => candidate.id === id)
  if (!conflict) return state
  const { mine, theirs } = conflict
  const loadedZones = new Map(state.loadedZones)
  if (theirs) loadedZones.set(id, theirs)
  else loadedZones.delete(id)
  const reverted = revertZone(state.history.now, id)
  let draft = reverted
  if (choice === 'mine' && theirs) draft = putZone(reverted, { id, base: theirs, now: mine, from: [] })
  else if (choice === 'mine' && mine)
    // The other user ended the zone, so mine becomes a new one.
    draft = putZone(reverted, { id: nextNewId(reverted), base: null, now: mine, from: [] })
  const conflicts = state.conflicts.filter((other) => other !== conflict)
  // Earlier steps are based on zones that are no longer stored, so the history starts over.
  return {
    ...state,
    history: startHistory(draft),
    loadedZones: loadedZones,
    conflicts,
    selected: conflicts.map((conflict) => conflict.id),
  }
}
