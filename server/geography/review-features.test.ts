import { describe, expect, it } from 'vitest'
import type { Geometry } from '#contract/place.ts'
import { reviewFeatures } from './review-features.ts'

const box = (w: number): Geometry => ({ type: 'Polygon', coordinates: [[[w, 0], [w + 1, 0], [w + 1, 1], [w, 0]]] })
const feature = (position: number, name: string | number | null, at = position) => ({ position, geometry: box(at), properties: { name, code: position } })

describe('the shapes of a file', () => {
  it('in order say nothing and come back as they are', () => {
    const features = [feature(1, 'Ash'), feature(2, null), feature(3, 7)]
    expect(reviewFeatures(features, 'name')).toEqual({ features, notes: [] })
    expect(reviewFeatures(features, null)).toEqual({ features, notes: [] })
  })

  it('lose the blanks around their names, in one sentence', () => {
    const { features, notes } = reviewFeatures([feature(1, ' Ash'), feature(2, 'Oak\n'), feature(3, 'Elm Park')], 'name')
    expect(features.map(({ properties }) => properties['name'])).toEqual(['Ash', 'Oak', 'Elm Park'])
    expect(notes).toEqual([{ position: null, code: 'names-trimmed', text: '2 names began or ended with blanks, which were taken off: Ash, Oak.' }])
  })

  it('of one name are told, also where only blanks told them apart', () => {
    const { notes } = reviewFeatures([feature(1, 'Ash'), feature(2, 'Ash '), feature(3, 'Oak')], 'name')
    expect(notes.map(({ code, text }) => [code, text])).toEqual([
      ['names-trimmed', 'One name began or ended with blanks, which were taken off: Ash.'],
      ['names-repeated', 'One name stands more than once; the later shapes get a number: Ash.'],
    ])
  })

  it('drawn twice are kept and named', () => {
    const { features, notes } = reviewFeatures([feature(1, 'Ash', 5), feature(2, null, 5), feature(3, 'Oak', 5)], 'name')
    expect(features).toHaveLength(3)
    expect(notes.map(({ position, text }) => [position, text])).toEqual([[2, 'Feature 2 has the very outline of “Ash” (feature 1). Both were kept.'], [3, '“Oak” (feature 3) has the very outline of “Ash” (feature 1). Both were kept.']])
  })

  it('many of a kind are listed in part', () => {
    const { notes } = reviewFeatures(Array.from({ length: 12 }, (_, at) => feature(at + 1, ` Name ${at}`)), 'name')
    expect(notes[0]?.text).toMatch(/^12 names .*Name 9 …\.$/)
  })
})
