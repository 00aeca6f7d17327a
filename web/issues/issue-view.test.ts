import { describe, expect, it, vi } from 'vitest'
import type { IssuePoints } from '#contract/issues.ts'
import { IssueView, type ViewInput } from './issue-view.ts'

const points: IssuePoints = {
  total: 4,
  placed: 4,
  types: [],
  sources: ['files'],
  id: ['a/1', 'b', 'c', 'd'],
  source: [0, 0, 0, 0],
  type: [0, 0, 0, 0],
  closed: [0, 1, 0, 0],
  day: [3, 2, 2, 1],
  by_day: { day: [], total: [], placed: [] },
  lon: [1, 2, 3, 3],
  lat: [1, 2, 3, 3],
}
const input: ViewInput = {
  points,
  getColor: ({ closed }, index) => (closed[index] ? '#0000FF' : '#FF0000'),
  scheme: 'light',
  zoom: 10,
  selected: null,
}

describe('issues on the map', () => {
  it('have a place, a color and a name each; several at one place are one square', () => {
    const view = new IssueView()
    view.update(input)
    const drawn = view.read()!
    expect([[...drawn.positions], [...drawn.colors]]).toEqual([
      [1, 1, 2, 2],
      [255, 0, 0, 255, 0, 0, 255, 255],
    ])
    expect([drawn.getId(0), drawn.getId(1)]).toEqual(['files:a%2F1', 'files:b'])
    expect(drawn.stations).toEqual([{ id: 'files:c', lon: 3, lat: 3, text: '2', isEmpty: false }])
  })

  it('are recomputed only as far as necessary', () => {
    const view = new IssueView()
    const listener = vi.fn()
    view.watch(listener)
    view.update(input)
    const { positions } = view.read()!
    view.update({ ...input, zoom: 12 })
    expect(listener).toHaveBeenCalledTimes(1)
    view.update({ ...input, zoom: 12, selected: { lon: 2, lat: 2 } })
    expect([listener.mock.calls.length, view.read()?.selected, view.read()?.positions === positions]).toEqual(
      [2, { lon: 2, lat: 2 }, true],
    )
    view.update({ ...input, getColor: () => '#00FF00' })
    expect([...view.read()!.colors].slice(0, 4)).toEqual([0, 255, 0, 255])
  })

  it('disappear if there are none, and reappear', () => {
    const view = new IssueView()
    view.update({ ...input, points: null })
    expect(view.read()).toBeNull()
    view.update(input)
    view.update({ ...input, points: null })
    expect(view.read()).toBeNull()
    view.update(input)
    expect(view.read()?.count).toBe(2)
  })
})
