import { describe, expect, it } from 'vitest'
import { RowCache } from './shape-queries.ts'

const rows = (count: number) => Array.from({ length: count }, (_, at) => at)
const never = (): Promise<number[]> => Promise.reject(new Error('asked again'))
const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('KeptRows', () => {
  it('gives what is kept, and makes once for all who ask', async () => {
    const kept = new RowCache<number>(1000)
    let made = 0
    const make = (): Promise<number[]> => Promise.resolve(rows(++made))
    expect(await Promise.all([kept.getOrMake('a', make), kept.getOrMake('a', make)])).toEqual([[0], [0]])
    expect(await kept.getOrMake('a', never)).toEqual([0])
    expect(made).toBe(1)
    expect(kept.get('b')).toBeUndefined()
  })

  it('drops those that were asked for least recently once all weigh too much', async () => {
    const kept = new RowCache<number>(1000)
    for (const key of ['a', 'b', 'c']) await kept.getOrMake(key, () => Promise.resolve(rows(200)))
    await settled()
    expect(kept.get('a')).toBeDefined()
    await kept.getOrMake('d', () => Promise.resolve(rows(200)))
    await settled()
    expect(['a', 'b', 'c', 'd'].map((key) => kept.get(key) !== undefined)).toEqual([true, false, true, true])
  })

  it('keeps no answer that is too large by itself', async () => {
    const kept = new RowCache<number>(1000)
    await kept.getOrMake('small', () => Promise.resolve(rows(10)))
    expect(await kept.getOrMake('large', () => Promise.resolve(rows(5000)))).toHaveLength(5000)
    await settled()
    expect(kept.get('large')).toBeUndefined()
  })

  it('forgets what failed', async () => {
    const kept = new RowCache<number>(1000)
    await expect(kept.getOrMake('a', never)).rejects.toThrow('asked again')
    await settled()
    expect(await kept.getOrMake('a', () => Promise.resolve([7]))).toEqual([7])
  })
})
