import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Geometry } from '#contract/place.ts'
import { toBatch } from '../editing/use-save-draft.ts'
import { toConflicts, resolveToMine, resolveToTheirs } from './conflicts.ts'
import {
  listChanges,
  emptyDraft,
  nextNewId,
  putShape,
  revertShape,
  type Draft,
  type ShapeForm,
  type StoredForm,
} from './draft.ts'
import { startHistory, redo, addStep, undo } from '#web/map-page/editing/undo-history.ts'

const pointAt = (x: number): Geometry => ({ type: 'Point', coordinates: [x, 0] })
const stored = (name: string, x = 0, modified_time = 't1'): StoredForm => ({
  name,
  description: null,
  geom: pointAt(x),
  modified_time,
})
const form = (name: string, x = 0, description: string | null = null): ShapeForm => ({
  name,
  description,
  geom: pointAt(x),
})

describe('a draft', () => {
  it('lists which shapes are created, changed and deleted, and which parts differ', () => {
    let draft = putShape(emptyDraft, 'a', stored('North'), form('North End', 1))
    draft = putShape(draft, 'b', stored('South'), null)
    draft = putShape(draft, nextNewId(draft), null, form('New', 2))
    expect(listChanges(draft)).toEqual([
      { id: 'a', name: 'North End', kind: 'changed', parts: ['name', 'geometry'] },
      { id: 'b', name: 'South', kind: 'deleted', parts: [] },
      { id: 'new:1', name: 'New', kind: 'created', parts: [] },
    ])
    expect(nextNewId(draft)).toBe('new:2')
  })

  it('contains neither unchanged shapes nor new shapes that were deleted', () => {
    const changed = putShape(emptyDraft, 'a', stored('North'), form('Other'))
    expect(putShape(changed, 'a', stored('North'), form('North')).size).toBe(0)
    expect(putShape(putShape(emptyDraft, 'new:1', null, form('x')), 'new:1', null, null).size).toBe(0)
    expect(putShape(emptyDraft, 'a', stored('North'), form('North', 0, '')).size).toBe(0)
  })

  it('retains the first base, whatever later edits pass', () => {
    const twice = putShape(
      putShape(emptyDraft, 'a', stored('North'), form('1')),
      'a',
      stored('Later', 5, 't2'),
      form('2'),
    )
    expect(twice.get('a')?.base).toEqual(stored('North'))
    expect(revertShape(twice, 'a').size).toBe(0)
  })

  it('is sent as one batch that contains only differences, with the time of the loaded version', () => {
    let draft = putShape(emptyDraft, 'a', stored('North'), form('North', 0, 'Old town'))
    draft = putShape(draft, 'b', stored('South', 0, 't7'), null)
    draft = putShape(draft, 'new:1', null, form('New', 2))
    const { body, ids } = toBatch(draft, true)
    expect(body).toEqual({
      created: [{ shape_name: 'New', shape_description: null, geom: pointAt(2) }],
      changed: [{ shape_uuid: 'a', if_modified_time: 't1', shape_description: 'Old town' }],
      deleted: [{ shape_uuid: 'b', if_modified_time: 't7' }],
      confirm: true,
    })
    expect(ids).toEqual({ created: ['new:1'], changed: ['a'], deleted: ['b'] })
    expect(toBatch(draft).body).not.toHaveProperty('confirm')
  })
})

describe('an editing history', () => {
  type Action =
    | { kind: 'put'; id: string; x: number }
    | { kind: 'delete'; id: string }
    | { kind: 'revert'; id: string }
  const ids = fc.constantFrom('a', 'b', 'c')
  const actions: fc.Arbitrary<Action[]> = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('put' as const), id: ids, x: fc.integer({ min: 0, max: 4 }) }),
      fc.record({ kind: fc.constant('delete' as const), id: ids }),
      fc.record({ kind: fc.constant('revert' as const), id: ids }),
    ),
  )
  const applyAction = (draft: Draft, action: Action): Draft =>
    action.kind === 'revert'
      ? revertShape(draft, action.id)
      : putShape(
          draft,
          action.id,
          stored(action.id),
          action.kind === 'put' ? form(action.id, action.x) : null,
        )

  it('is undone and redone exactly', () => {
    fc.assert(
      fc.property(actions, (sequence) => {
        let history = startHistory(emptyDraft)
        const states = [emptyDraft]
        for (const action of sequence) {
          history = addStep(history, applyAction(history.now, action))
          states.push(history.now)
        }
        for (const state of states.toReversed()) {
          expect([...history.now]).toEqual([...state])
          history = undo(history)
        }
        expect(undo(history)).toBe(history)
        for (const state of states) {
          expect([...history.now]).toEqual([...state])
          history = redo(history)
        }
        expect(redo(history)).toBe(history)
      }),
    )
  })

  it('drops undone steps after another edit, and counts no step without changes', () => {
    const one = addStep(startHistory(1), 2)
    expect(addStep(undo(one), 3)).toEqual({ past: [1], now: 3, future: [] })
    expect(addStep(one, 2)).toBe(one)
  })
})

describe('a conflict', () => {
  const current = (name: string) => ({
    shape_uuid: 'a',
    shape_id: '1',
    shape_name: name,
    shape_description: null,
    shape_layer_uuid: 'l',
    geom: pointAt(9),
    properties: {},
    created_time: 't0',
    modified_time: 't9',
    modified_by: 'Bo',
    side_of_street: null,
  })
  const draft = putShape(
    putShape(emptyDraft, 'a', stored('North'), form('Mine', 1)),
    'b',
    stored('South'),
    null,
  )

  it('has the base, my version and theirs', () => {
    expect(
      toConflicts(draft, {
        conflicts: [{ list: 'changed', position: 0, shape_uuid: 'a', current: current('Theirs') }],
      }),
    ).toEqual([
      {
        id: 'a',
        base: stored('North'),
        mine: form('Mine', 1),
        theirs: { ...stored('Theirs', 9), modified_time: 't9' },
      },
    ])
  })

  it('can be resolved with either version', () => {
    const [found] = toConflicts(draft, {
      conflicts: [{ list: 'changed', position: 0, shape_uuid: 'a', current: current('Theirs') }],
    })
    expect([...resolveToTheirs(draft, found!).keys()]).toEqual(['b'])
    const mine = resolveToMine(draft, found!)
    expect(mine.get('a')).toEqual({
      id: 'a',
      base: { ...stored('Theirs', 9), modified_time: 't9' },
      now: form('Mine', 1),
    })
    expect(toBatch(mine).body.changed?.[0]?.if_modified_time).toBe('t9')
  })

  it('recreates a shape that the other user deleted, and drops one that both deleted', () => {
    const [edited, gone] = toConflicts(draft, {
      conflicts: [
        { list: 'changed', position: 0, shape_uuid: 'a', current: null },
        { list: 'deleted', position: 0, shape_uuid: 'b', current: null },
      ],
    })
    expect(resolveToMine(draft, edited!).get('new:1')).toEqual({
      id: 'new:1',
      base: null,
      now: form('Mine', 1),
    })
    expect(resolveToMine(draft, gone!).has('b')).toBe(false)
  })
})
