import { describe, expect, it, vi } from 'vitest'
import { shapeStates } from './layers/shape-states.ts'
import type { ShapeBin } from './layers/shape-values.ts'
import type { MapLayer } from './map-layer.ts'
import type { MapLibreMap } from './create-map.ts'
import { FeatureStateSync } from './feature-state-sync.ts'

const layer = (binById: Record<string, ShapeBin>, source = 'shapes:1'): MapLayer => ({
  sources: {},
  drawings: [],
  labels: [],
  pointerTarget: { source, sourceLayer: 'shapes', idProperty: 'shape_uuid', drawings: [] },
  states: shapeStates(new Map(Object.entries(binById))),
})

function createSync() {
  const set = vi.fn<(target: { id: string }, state: object) => void>()
  const remove = vi.fn<(target: { id: string }, key: string) => void>()
  const sync = new FeatureStateSync({
    setFeatureState: set,
    removeFeatureState: remove,
  } as unknown as MapLibreMap)
  const takeCalls = () => {
    const sets = set.mock.calls.map(([{ id }, state]) => [id, state])
    const removals = remove.mock.calls.map(([{ id }, key]) => [id, key])
    set.mockClear()
    remove.mockClear()
    return { sets, removals }
  }
  return { sync, takeCalls }
}

describe('FeatureStateSync', () => {
  it('sets only shapes with a changed class', () => {
    const { sync, takeCalls } = createSync()
    sync.show([layer({ a: 0, b: 3, c: 'none' })], null)
    expect(takeCalls().sets).toEqual([
      ['a', { bin: 0 }],
      ['b', { bin: 3 }],
      ['c', { bin: -2 }],
    ])
    sync.show([layer({ a: 0, b: 4, c: 'none' })], null)
    expect(takeCalls()).toEqual({ sets: [['b', { bin: 4 }]], removals: [] })
  })

  it('removes states of missing shapes', () => {
    const { sync, takeCalls } = createSync()
    sync.show([layer({ a: 0, b: 3 })], null)
    takeCalls()
    sync.show([layer({ a: 0 })], null)
    expect(takeCalls()).toEqual({ sets: [], removals: [['b', 'bin']] })
  })

  it('sets all states of another source', () => {
    const { sync, takeCalls } = createSync()
    sync.show([layer({ a: 0 })], 'a')
    takeCalls()
    sync.show([layer({ a: 0 }, 'shapes:2')], 'a')
    expect(takeCalls().sets).toEqual([
      ['a', { bin: 0 }],
      ['a', { selected: true }],
    ])
  })

  it('moves hover and selection to another shape', () => {
    const { sync, takeCalls } = createSync()
    sync.show([layer({ a: 0, b: 1 })], 'a')
    sync.hover('a')
    takeCalls()
    sync.show([layer({ a: 0, b: 1 })], 'b')
    sync.hover(null)
    expect(takeCalls()).toEqual({
      sets: [['b', { selected: true }]],
      removals: [
        ['a', 'selected'],
        ['a', 'hover'],
      ],
    })
  })

  it('sets the states of several layers, and selects the shape in the layer that has it', () => {
    const { sync, takeCalls } = createSync()
    sync.show([layer({ a: 0 }), layer({ b: 1 }, 'curbs:1')], 'b')
    expect(takeCalls().sets).toEqual([
      ['a', { bin: 0 }],
      ['b', { selected: true }],
      ['b', { bin: 1 }],
      ['b', { selected: true }],
    ])
    sync.show([layer({ a: 0 }), layer({ b: 2 }, 'curbs:1')], 'b')
    expect(takeCalls().sets).toEqual([['b', { bin: 2 }]])
    sync.show([layer({ b: 2 }, 'curbs:1')], 'b')
    expect(takeCalls()).toEqual({ sets: [], removals: [] })
  })
})
