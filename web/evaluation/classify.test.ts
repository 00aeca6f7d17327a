import { describe, expect, it } from 'vitest'
import { classify } from './classify.ts'

const given = (...values: (number | null)[]) => new Map(values.map((value, at) => [`shape-${at}`, value]))

describe('classify', () => {
  it('keeps zero and no data out of the bins', () => {
    const { bins, of, zeros, none } = classify(given(0, 4, null, 9, 0))
    expect(bins.map((bin) => bin.from)).toEqual([4, 9])
    expect([...of.values()]).toEqual(['zero', 0, 'none', 1, 'zero'])
    expect([zeros, none]).toEqual([2, 1])
  })
  it('needs no bin where all is zero', () => expect(classify(given(0, 0)).bins).toEqual([]))
  it('knows nothing of nothing', () => expect(classify(new Map())).toEqual({ bins: [], of: new Map(), zeros: 0, none: 0 }))
})
