import { describe, expect, it } from 'vitest'
import type { Area } from '#contract/place.ts'
import { emptyDraft, putShape, storedForm } from '../draft/draft.ts'
import { testShape } from '#web/map-page/test-geography.ts'
import { listMergeChoices } from './use-merge-with.ts'

const square = (west: number): Area => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, 0],
      [west + 1, 0],
      [west + 1, 1],
      [west, 1],
      [west, 0],
    ],
  ],
})
const row = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...testShape,
    shape_uuid: `${index}`,
    shape_name: `Block ${index}`,
    geom: square(index),
  }))
const selected = (at: number) => ({
  id: `${at}`,
  base: null,
  form: { name: '', description: null, geom: square(at) },
})

describe('listMergeChoices', () => {
  it('are all other shapes of a small layer, except those deleted in the draft', () => {
    const shapes = row(4)
    const draft = putShape(emptyDraft, '3', storedForm(shapes[3]!), null)
    expect(listMergeChoices(shapes, draft, selected(1))).toEqual([
      { id: '0', name: 'Block 0' },
      { id: '2', name: 'Block 2' },
    ])
  })

  it('are only the neighbors if there are many shapes', () => {
    expect(listMergeChoices(row(1000), emptyDraft, selected(500)).map(({ id }) => id)).toEqual(['499', '501'])
  })
})
