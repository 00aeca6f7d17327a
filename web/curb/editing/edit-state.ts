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
  type Outcome,
  type Refused,
  splitZone,
  type Subject,
} from './zone-operations.ts'
import {
  emptyDraft,
  fieldsChanged,
  toForm,
  isNewId,
  nextNewId,
  putZone,
  revertZone,
  type ZoneDraft,
} from './zone-draft.ts'

export type Tool = 'select' | 'street' | 'line' | 'split'

/** A zone that another user saved while it was being edited. `theirs` is null if they ended it. */
export interface Conflict {
  id: string
  mine: CurbZoneForm | null
  theirs: CurbEditZone | null
}

/** The state of an editing session. */
export interface EditState {
  history: UndoHistory<ZoneDraft>
  /** Stored zones that have been loaded. */
  known: ReadonlyMap<string, CurbEditZone>
  /** Ids in the order of selection. */
  selected: readonly string[]
  /** The line or ring of the selected zone whose handles are shown. */
  part: string
  /** Whether selecting a zone adds it to the selection. */
  isMultiple: boolean
  tool: Tool
  isSnapping: boolean
  /** Why the last action was refused. */
  refused: Refused | null
  conflicts: readonly Conflict[]
}

export type EditAction =
  | { type: 'known'; zones: readonly CurbEditZone[] }
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
  | { type: 'resolve'; id: string; keep: 'mine' | 'theirs' }

/** Identifies the line of a zone, or the outline of its first area. */
const firstPart = '0:0'

/** Returns the state of the editor at the start, with a restored or empty draft. */
export const beginEditing = (draft: ZoneDraft): EditState => ({
  history: startHistory(draft),
  known: new Map(),
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
  { history, known }: Pick<EditState, 'history' | 'known'>,
  id: string,
): Subject | null {
  const drafted = history.now.get(id)
  if (drafted) return drafted.now && { ...drafted, now: drafted.now }
  const base = known.get(id)
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
  const [only] = subjects.length === 1 ? subjects : []
  switch (action.type) {
    case 'known':
      return {
        ...state,
        known: new Map([
          ...state.known,
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
        ? { ...withOutcome(state, drawZone(draft, action.curb)), tool: state.tool }
        : { ...state, refused: 'noStreet' }
    case 'moved':
      return only
        ? stepTo(
            state,
            putZone(draft, {
              ...only,
              now: { ...only.now, geometry: replacePart(only.now.geometry, state.part, action.positions) },
            }),
          )
        : state
    case 'split':
      return only ? { ...withOutcome(state, splitZone(draft, only, action.cut)), tool: 'select' } : state
    case 'merge':
      return withOutcome(state, mergeZones(draft, subjects))
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
      return withResolved(state, action.id, action.keep)
  }
}

const nextSelection = ({ selected, isMultiple }: EditState, id: string | null): readonly string[] => {
  if (id === null) return isMultiple ? selected : []
  if (!isMultiple) return [id]
  return selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id]
}

/** A draft with the same changes is not a new step. */
const stepTo = (state: EditState, draft: ZoneDraft): EditState => {
  const before = state.history.now
  const isUnchanged =
    before.size === draft.size &&
    [...draft.values()].every((zone) => {
      const earlier = before.get(zone.id)
      if (!earlier || (earlier.now === null) !== (zone.now === null)) return false
      return (
        earlier.now === zone.now || (earlier.now && zone.now && !fieldsChanged(earlier.now, zone.now).length)
      )
    })
  return isUnchanged ? state : { ...state, history: addStep(state.history, draft) }
}
const withOutcome = (state: EditState, outcome: Outcome): EditState =>
  'refused' in outcome
    ? { ...state, refused: outcome.refused }
    : { ...stepTo(state, outcome.draft), selected: outcome.selected }

function withSaved(
  state: EditState,
  { draft, zones, ended, ids }: Extract<EditAction, { type: 'saved' }>,
): EditState {
  const knownZones = new Map(state.known)
  for (const id of ended) knownZones.delete(id)
  for (const zone of zones) knownZones.set(zone.curb_zone_id, zone)
  // Edits made during the request are reapplied to what is stored now.
  let rest = emptyDraft
  for (const zone of state.history.now.values()) {
    if (zone === draft.get(zone.id)) continue
    const id = ids.get(zone.id) ?? zone.id
    rest = putZone(rest, { ...zone, id, base: knownZones.get(id) ?? zone.base })
  }
  return {
    ...state,
    known: knownZones,
    history: startHistory(rest),
    conflicts: [],
    selected: state.selected
      .map((id) => ids.get(id) ?? id)
      .filter((id) => knownZones.has(id) || rest.has(id)),
  }
}

function withResolved(state: EditState, id: string, keep: 'mine' | 'theirs'): EditState {
  const conflict = state.conflicts.find((candidate) => candidate.id === id)
  if (!conflict) return state
  const { mine, theirs } = conflict
  const knownZones = new Map(state.known)
  if (theirs) knownZones.set(id, theirs)
  else knownZones.delete(id)
  const without = revertZone(state.history.now, id)
  let draft = without
  if (keep === 'mine' && theirs) draft = putZone(without, { id, base: theirs, now: mine, from: [] })
  else if (keep === 'mine' && mine)
    draft = putZone(without, { id: nextNewId(without), base: null, now: mine, from: [] })
  const conflicts = state.conflicts.filter((other) => other !== conflict)
  // Earlier steps are based on zones that are no longer stored, so the history starts over.
  return {
    ...state,
    history: startHistory(draft),
    known: knownZones,
    conflicts,
    selected: conflicts.map((conflict) => conflict.id),
  }
}
