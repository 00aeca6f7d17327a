import { describe, expect, it } from 'vitest'
import { computeBins, classify } from './classify.ts'

const valuesByShape = (...values: (number | null)[]) =>
  new Map(values.map((value, index) => [`shape-${index}`, value]))

describe('classify', () => {
  it('excludes zero and no data from the bins', () => {
    const { bins, byShape, zeros, none } = classify(valuesByShape(0, 4, null, 9, 0))
    expect(bins.map((bin) => bin.from)).toEqual([4, 9])
    expect([...byShape.values()]).toEqual(['zero', 0, 'none', 1, 'zero'])
    expect([zeros, none]).toEqual([2, 1])
  })
  it('needs no bin if all values are zero', () => expect(classify(valuesByShape(0, 0)).bins).toEqual([]))
  it('has no bins without values', () =>
    expect(classify(new Map())).toEqual({ bins: [], byShape: new Map(), zeros: 0, none: 0 }))
  it('classifies into shared bins and counts their shapes', () => {
    const shared = computeBins([1, 2, 3, 4, 5, 6, 7, 0, null])
    const { bins, byShape } = classify(valuesByShape(1, 1, 7, 0), shared)
    expect(shared).toHaveLength(7)
    expect([...byShape.values()]).toEqual([0, 0, 6, 'zero'])
    expect(bins.map((bin) => bin.count)).toEqual([2, 0, 0, 0, 0, 0, 1])
  })
})
