import { describe, expect, it } from 'vitest'
import type { Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import { listChanges, emptyDraft } from '../draft/draft.ts'
import { ring, square } from '../geometry/test-areas.ts'
import { beginEditing, editReducer, findSubject, type EditAction, type EditState } from './edit-state.ts'

const shape = (id: string, name: string, geom: Geometry, modified_time = 't1'): Shape => ({
  shape_uuid: id,
  shape_id: id,
  shape_name: name,
  shape_description: null,
  shape_layer_uuid: 'l',
  geom,
  properties: {},
  created_time: 't0',
  modified_time,
  modified_by: null,
  side_of_street: null,
})
const stored = [
  shape('a', 'North', square(0, 0, 2)),
  shape('b', 'South', square(2, 0, 2)),
  shape('c', 'Holed', { type: 'Polygon', coordinates: [ring(10, 0, 6), ring(11, 1, 1), ring(13, 3, 1)] }),
  shape('p', 'Stop', { type: 'Point', coordinates: [0, 0] }),
]
const after = (...actions: EditAction[]): EditState =>
  actions.reduce(editReducer, editReducer(beginEditing(emptyDraft, null), { type: 'known', shapes: stored }))
const select = (id: string): EditAction => ({ type: 'select', id })
const tool = (name: EditState['tool']): EditAction => ({ type: 'tool', tool: name })
const changes = (state: EditState) =>
  listChanges(state.history.now).map(({ kind, id, name }) => `${kind} ${id} ${name}`)

describe('an editing session', () => {
  it('draws a shape, selects it, and returns to the select tool', () => {
    const state = after(tool('drawArea'), { type: 'drawn', geometry: square(5, 5, 1), name: 'New shape 1' })
    expect(changes(state)).toEqual(['created new:1 New shape 1'])
    expect([state.selected, state.tool, state.activePart]).toEqual(['new:1', 'select', '0:0'])
  })

  it('moves the corners of one part', () => {
    const state = after(
      select('c'),
      { type: 'part', id: '0:2' },
      { type: 'moved', part: '0:2', positions: ring(13, 3, 2) },
    )
    expect(findSubject(state, 'c')?.form.geom).toEqual({
      type: 'Polygon',
      coordinates: [ring(10, 0, 6), ring(11, 1, 1), ring(13, 3, 2)],
    })
    expect(state.activePart).toBe('0:2')
  })

  it('splits a shape, whose largest part retains its id', () => {
    const state = after(select('a'), tool('split'), {
      type: 'drawn',
      geometry: {
        type: 'LineString',
        coordinates: [
          [0.5, -1],
          [0.5, 3],
        ],
      },
      name: '',
    })
    expect(changes(state)).toEqual(['changed a North', 'created new:1 North (2)'])
    const back = after(
      select('a'),
      tool('split'),
      {
        type: 'drawn',
        geometry: {
          type: 'LineString',
          coordinates: [
            [0.5, -1],
            [0.5, 3],
          ],
        },
        name: '',
      },
      { type: 'undo' },
    )
    expect(back.history.now.size).toBe(0)
  })

  it('merges a neighbor in one step, which is undone as one', () => {
    const state = after(select('a'), tool('merge'), { type: 'merge', id: 'b' })
    expect(changes(state)).toEqual(['changed a North', 'deleted b South'])
    expect(state.tool).toBe('merge')
    expect(editReducer(state, { type: 'undo' }).history.now.size).toBe(0)
  })

  it('cuts a hole, and fills one or all of them', () => {
    const cut = after(select('a'), tool('cut'), { type: 'drawn', geometry: square(0.5, 0.5, 1), name: '' })
    expect(findSubject(cut, 'a')?.form.geom.coordinates).toHaveLength(2)
    expect(
      findSubject(after(select('c'), { type: 'part', id: '0:1' }, { type: 'fill' }), 'c')?.form.geom
        .coordinates,
    ).toHaveLength(2)
    expect(findSubject(after(select('c'), { type: 'fill' }), 'c')?.form.geom.coordinates).toHaveLength(1)
  })

  it('gives the reason if an action is refused', () => {
    expect(
      after(select('a'), tool('split'), {
        type: 'drawn',
        geometry: {
          type: 'LineString',
          coordinates: [
            [9, 9],
            [9, 8],
          ],
        },
        name: '',
      }).refusal,
    ).toBe('notCut')
    expect(
      after(select('a'), tool('cut'), { type: 'drawn', geometry: square(-1, -1, 9), name: '' }).refusal,
    ).toBe('nothingLeft')
    expect(after(select('p'), { type: 'merge', id: 'a' }).refusal).toBe('notAreas')
    expect(after(select('a'), { type: 'merge', id: 'a' }).refusal).toBe('notAreas')
    expect(after(select('a'), { type: 'merge', id: 'a' }, { type: 'undo' }).refusal).toBeNull()
  })

  it('repairs an outline that crosses itself', () => {
    const state = after(
      tool('drawArea'),
      {
        type: 'drawn',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [2, 2],
              [2, 0],
              [0, 2],
              [0, 0],
            ],
          ],
        },
        name: 'x',
      },
      { type: 'repair' },
    )
    expect(findSubject(state, 'new:1')?.form.geom.type).toBe('MultiPolygon')
  })

  it('deletes, reverts and renames; an unchanged name is no step', () => {
    const state = after(select('a'), { type: 'remove' })
    expect([changes(state), state.selected]).toEqual([['deleted a North'], null])
    expect(findSubject(state, 'a')).toBeNull()
    expect(editReducer(state, { type: 'revert', id: 'a' }).history.now.size).toBe(0)
    expect(changes(after({ type: 'form', id: 'a', form: { name: 'N' } }))).toEqual(['changed a N'])
    expect(after({ type: 'form', id: 'a', form: { name: 'North' } }).history.past).toEqual([])
  })

  it('deselects a shape that undo removed', () => {
    expect(
      after(
        tool('drawPoint'),
        { type: 'drawn', geometry: { type: 'Point', coordinates: [0, 0] }, name: 'x' },
        { type: 'undo' },
      ).selected,
    ).toBeNull()
  })

  it('resets to what the server stored after saving', () => {
    const draft = after(tool('drawPoint'), {
      type: 'drawn',
      geometry: { type: 'Point', coordinates: [0, 0] },
      name: 'x',
    })
    const state = editReducer(draft, {
      type: 'saved',
      draft: draft.history.now,
      shapes: [shape('s1', 'x', { type: 'Point', coordinates: [0, 0] })],
      ids: new Map([['new:1', 's1']]),
    })
    expect([state.history.now.size, state.history.past, state.selected]).toEqual([0, [], 's1'])
    expect(findSubject(state, 's1')?.base?.modified_time).toBe('t1')
  })

  it('preserves changes and the selection made during a save', () => {
    const sent = after(
      tool('drawPoint'),
      { type: 'drawn', geometry: { type: 'Point', coordinates: [0, 0] }, name: 'x' },
      { type: 'form', id: 'a', form: { name: 'N' } },
    )
    const meanwhile = editReducer(
      editReducer(sent, { type: 'form', id: 'new:1', form: { name: 'y' } }),
      tool('split'),
    )
    const state = editReducer(meanwhile, {
      type: 'saved',
      draft: sent.history.now,
      shapes: [shape('s1', 'x', { type: 'Point', coordinates: [0, 0] }), shape('a', 'N', square(0, 0, 2))],
      ids: new Map([['new:1', 's1']]),
    })
    expect([changes(state), state.tool]).toEqual([['changed s1 y'], 'split'])
    expect(state.history.now.get('s1')?.base).toMatchObject({ name: 'x', modified_time: 't1' })
  })

  it('resolves conflicts one after another', () => {
    const draft = after({ type: 'form', id: 'a', form: { name: 'Mine' } }, select('b'), { type: 'remove' })
    const theirs = { name: 'Theirs', description: null, geom: square(0, 0, 1), modified_time: 't9' }
    const conflict = (id: string) => ({
      id,
      base: draft.history.now.get(id)!.base!,
      mine: draft.history.now.get(id)!.now,
      theirs,
    })
    const conflicted = editReducer(draft, { type: 'conflicts', conflicts: [conflict('a'), conflict('b')] })
    expect(conflicted.selected).toBe('a')
    const one = editReducer(conflicted, { type: 'resolve', id: 'a', keep: 'mine' })
    expect([
      one.selected,
      one.history.now.get('a')?.base?.modified_time,
      one.history.now.get('a')?.now?.name,
    ]).toEqual(['b', 't9', 'Mine'])
    const both = editReducer(one, { type: 'resolve', id: 'b', keep: 'theirs' })
    expect([both.conflicts, changes(both)]).toEqual([[], ['changed a Mine']])
    expect(findSubject(both, 'b')?.form.name).toBe('Theirs')
  })
})
