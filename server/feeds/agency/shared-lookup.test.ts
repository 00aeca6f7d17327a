import { describe, expect, it } from 'vitest'
import { sharedLookup } from './shared-lookup.ts'

describe('a shared lookup', () => {
  it('looks once for all who ask at the same moment, and anew for those who ask later', async () => {
    const looks: string[] = []
    const look = sharedLookup(async (key) => {
      looks.push(key)
      return looks.length
    })
    expect(await Promise.all([look('a'), look('a'), look('b')])).toEqual([1, 1, 2])
    expect(await look('a')).toBe(3)
    expect(looks).toEqual(['a', 'b', 'a'])
  })

  it('fails for all who asked, and is tried anew', async () => {
    let isUp = false
    const look = sharedLookup(async () => {
      if (!isUp) throw new Error('no store')
      return 'found'
    })
    const told = await Promise.allSettled([look('a'), look('a')])
    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isUp = true
    expect(await look('a')).toBe('found')
  })
})
