import { describe, expect, it, vi } from 'vitest'
import { shapeStates } from './layers/shape-states.ts'
import type { ShapeClass } from './layers/shape-values.ts'
import type { MapLayer } from './map-layer.ts'
import type { MapLibreMap } from './create-map.ts'
import { FeatureStateSync } from './feature-state-sync.ts'

const layer = (classes: Record<string, ShapeClass>, source = 'shapes:1'): MapLayer => ({
  sources: {},
  drawings: [],
  labels: [],
  pointerTarget: { source, sourceLayer: 'shapes', drawings: [] },
  states: shapeStates(new Map(Object.entries(classes))),
})

function keeper() {
  const set = vi.fn<(of: { id: string }, state: object) => void>()
  const drop = vi.fn<(of: { id: string }, key: string) => void>()
  const of = new FeatureStateSync({
    setFeatureState: set,
    removeFeatureState: drop,
  } as unknown as MapLibreMap)
  const taken = () => {
    const sets = set.mock.calls.map(([{ id }, state]) => [id, state])
    const drops = drop.mock.calls.map(([{ id }, key]) => [id, key])
    set.mockClear()
    drop.mockClear()
    return { sets, drops }
  }
  return { of, taken }
}

describe('StateKeeper', () => {
  it('sets only the shapes whose class changed', () => {
    const { of, taken } = keeper()
    of.show(layer({ a: 0, b: 3, c: 'none' }), null)
    expect(taken().sets).toEqual([
      ['a', { bin: 0 }],
      ['b', { bin: 3 }],
      ['c', { bin: -2 }],
    ])
    of.show(layer({ a: 0, b: 4, c: 'none' }), null)
    expect(taken()).toEqual({ sets: [['b', { bin: 4 }]], drops: [] })
  })

  it('takes away what is not there any more', () => {
    const { of, taken } = keeper()
    of.show(layer({ a: 0, b: 3 }), null)
    taken()
    of.show(layer({ a: 0 }), null)
    expect(taken()).toEqual({ sets: [], drops: [['b', 'bin']] })
  })

  it('sets all of another source, whose shapes know nothing yet', () => {
    const { of, taken } = keeper()
    of.show(layer({ a: 0 }), 'a')
    taken()
    of.show(layer({ a: 0 }, 'shapes:2'), 'a')
    expect(taken().sets).toEqual([
      ['a', { bin: 0 }],
      ['a', { selected: true }],
    ])
  })

  it('moves hover and selection from one to the next', () => {
    const { of, taken } = keeper()
    of.show(layer({ a: 0, b: 1 }), 'a')
    of.hover('a')
    taken()
    of.show(layer({ a: 0, b: 1 }), 'b')
    of.hover(null)
    expect(taken()).toEqual({
      sets: [['b', { selected: true }]],
      drops: [
        ['a', 'selected'],
        ['a', 'hover'],
      ],
    })
  })
})
