import { describe, expect, it } from 'vitest'
import type { CurbEditZone } from '#contract/curb-edits.ts'
import type { Position } from '#contract/place.ts'
import { lineLength } from './curb-lines.ts'
import { beginEditing, type EditAction, editReducer, type EditState, findSubject } from './edit-state.ts'
import { toChangeSet, listChanges, emptyDraft } from './zone-draft.ts'

const east = 1 / 88_000
const zone = (id: string, from: number, to: number, more: Partial<CurbEditZone> = {}): CurbEditZone => ({
  curb_zone_id: id,
  geometry: {
    type: 'LineString',
    coordinates: [
      [-122 + from * east, 37.8],
      [-122 + to * east, 37.8],
    ],
  },
  name: '',
  street_name: '1st Street',
  cross_street_start_name: '',
  cross_street_end_name: '',
  street_side: 'N',
  num_spaces: 10,
  curb_policy_ids: ['free'],
  inventory_name: null,
  length_m: to - from,
  updated_time: '2026-03-01T00:00:00.000Z',
  end_time: null,
  ...more,
})
const stored = [
  zone('a', 0, 60),
  zone('b', 60, 90, { num_spaces: 5 }),
  zone('c', 200, 240),
  zone('d', 90, 120, { curb_policy_ids: ['paid'] }),
]
const after = (...actions: EditAction[]): EditState =>
  [{ type: 'loaded', zones: stored } as EditAction, ...actions].reduce(editReducer, beginEditing(emptyDraft))
const select = (...ids: string[]): EditAction => ({ type: 'select', ids })
const lengths = (state: EditState): number[] =>
  [...state.history.now.values()].flatMap(({ now }) =>
    now?.geometry.type === 'LineString' ? Math.round(lineLength(now.geometry.coordinates)) : [],
  )

describe('splitting', () => {
  it('shares marked spaces by length, and sends the new part with its origin', () => {
    const state = after(select('a'), { type: 'split', cut: 20 })
    expect(lengths(state)).toEqual([20, 40])
    expect([...state.history.now.values()].map(({ now }) => now?.num_spaces)).toEqual([3, 7])
    expect(state.selected).toEqual(['a', 'new:1'])
    const { body } = toChangeSet(state.history.now, 'Two parts')
    expect([body.created.map(({ from }) => from), body.changed.map((row) => row.curb_zone_id)]).toEqual([
      [['a']],
      ['a'],
    ])
  })

  it('is refused at an end, and is undone and redone as one step', () => {
    expect(after(select('a'), { type: 'split', cut: 0.1 }).refused).toBe('atEnd')
    const split = after(select('a'), { type: 'split', cut: 20 })
    const undone = editReducer(split, { type: 'undo' })
    expect([undone.history.now.size, undone.selected]).toEqual([0, ['a']])
    expect(editReducer(undone, { type: 'redo' }).history.now).toBe(split.history.now)
  })
})

describe('merging', () => {
  it('joins neighbors into the first selected zone, in any order, and ends the others', () => {
    const state = after(select('b', 'a'), { type: 'merge' })
    expect(listChanges(state.history.now).map(({ id, kind }) => [id, kind])).toEqual([
      ['b', 'changed'],
      ['a', 'deleted'],
    ])
    expect(findSubject(state, 'b')?.now.num_spaces).toBe(15)
    const { body } = toChangeSet(state.history.now, '')
    expect([body.changed[0]?.from, body.ended.map((row) => row.curb_zone_id)]).toEqual([['a'], ['a']])
  })

  it('is refused over a gap, for a single zone, and for different regulations', () => {
    expect(after(select('a', 'c'), { type: 'merge' }).refused).toBe('tooFarApart')
    expect(after(select('a'), { type: 'merge' }).refused).toBe('notTwo')
    expect(after(select('b', 'd'), { type: 'merge' }).refused).toBe('differentRules')
  })

  it('restores the line of a zone that was split', () => {
    const state = after(select('a'), { type: 'split', cut: 20 }, { type: 'merge' })
    expect(lengths(state).filter((length) => length > 0)).toEqual([60])
  })
})

describe('editing several zones', () => {
  it('attaches and detaches regulations and sets fields in one step', () => {
    const state = after(select('a', 'd'), {
      type: 'change',
      change: { attach: ['ban'], detach: ['free'], num_spaces: null, street_side: 'S' },
    })
    expect(['a', 'd'].map((id) => findSubject(state, id)?.now)).toEqual([
      expect.objectContaining({ curb_policy_ids: ['ban'], num_spaces: null, street_side: 'S' }),
      expect.objectContaining({ curb_policy_ids: ['paid', 'ban'], num_spaces: null }),
    ])
    expect(state.history.past).toHaveLength(1)
  })

  it('records no step if nothing changes', () => {
    expect(after(select('a'), { type: 'change', change: { num_spaces: 10 } }).history.past).toEqual([])
    const back = after(
      select('a'),
      { type: 'change', change: { attach: ['ban'] } },
      { type: 'change', change: { detach: ['ban'] } },
    )
    expect(listChanges(back.history.now)).toEqual([])
  })

  it('selects one zone, or adds to the selection', () => {
    const picks: EditAction[] = [
      { type: 'pick', id: 'a' },
      { type: 'pick', id: 'b' },
    ]
    expect(after(...picks).selected).toEqual(['b'])
    expect(after({ type: 'multiple', on: true }, ...picks, { type: 'pick', id: 'a' }).selected).toEqual(['b'])
  })
})

describe('moving corners', () => {
  const bay: CurbEditZone['geometry'] = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [0, 0],
      ],
      [
        [2, 1],
        [3, 1],
        [3, 2],
        [2, 1],
      ],
    ],
  }

  it('changes the selected ring of an area; a newly selected zone starts with its outline', () => {
    const area = { type: 'loaded', zones: [zone('bay', 0, 1, { geometry: bay })] } as EditAction
    const hole: Position[] = [
      [2, 1],
      [3, 1],
      [3, 3],
      [2, 1],
    ]
    const state = after(
      area,
      select('bay'),
      { type: 'part', part: '0:1' },
      { type: 'moved', positions: hole },
    )
    expect(findSubject(state, 'bay')?.now.geometry).toEqual({
      ...bay,
      coordinates: [bay.coordinates[0], hole],
    })
    expect(listChanges(state.history.now).map(({ fields }) => fields)).toEqual([['geometry']])
    expect(editReducer(state, select('a')).part).toBe('0:0')
  })
})

describe('saving', () => {
  const line: Position[] = [
    [-122, 37.81],
    [-121.999, 37.81],
  ]
  it('replaces temporary ids, and preserves edits made during the request', () => {
    const drawn = after({
      type: 'drawn',
      curb: {
        line,
        streetName: '2nd Street',
        side: 'N',
        crossStreets: { start: 'Avenue 1', end: 'Avenue 2' },
      },
    })
    const sent = drawn.history.now
    const meanwhile = editReducer(editReducer(drawn, select('a')), {
      type: 'change',
      change: { name: 'Depot' },
    })
    const state = editReducer(meanwhile, {
      type: 'saved',
      draft: sent,
      zones: [zone('z', 0, 1)],
      ended: [],
      ids: new Map([['new:1', 'z']]),
    })
    expect([...state.history.now.keys()]).toEqual(['a'])
    expect([state.loadedZones.has('z'), state.history.past.length]).toEqual([true, 0])
  })

  it('asks about zones that another user saved first, and applies either choice', () => {
    const theirs = zone('a', 0, 60, { num_spaces: 3, updated_time: '2026-03-02T00:00:00.000Z' })
    const conflicting = after(
      select('a'),
      { type: 'change', change: { name: 'Depot' } },
      { type: 'conflicts', conflicts: [{ id: 'a', mine: { ...stored[0]!, name: 'Depot' }, theirs }] },
    )
    const mine = editReducer(conflicting, { type: 'resolve', id: 'a', choice: 'mine' })
    expect(toChangeSet(mine.history.now, '').body.changed).toEqual([
      expect.objectContaining({ if_updated_time: theirs.updated_time }),
    ])
    const other = editReducer(conflicting, { type: 'resolve', id: 'a', choice: 'theirs' })
    expect([other.history.now.size, findSubject(other, 'a')?.now.num_spaces]).toEqual([0, 3])
    const ended = after(select('a'), {
      type: 'conflicts',
      conflicts: [{ id: 'a', mine: stored[0]!, theirs: null }],
    })
    const recreated = editReducer(ended, { type: 'resolve', id: 'a', choice: 'mine' })
    expect(listChanges(recreated.history.now).map(({ kind }) => kind)).toEqual(['created'])
  })
})
