import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { findJsonError } from './find-json-error.ts'

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

describe('a body', () => {
  it.each([undefined, null, 7, true, 'text', {}, [], { a: [{ b: 'c' }] }, Object.create(null), nested(64)])(
    'may be %j',
    (value) => {
      expect(findJsonError(value, 'body')).toBeNull()
    },
  )

  it('must not contain U+0000, in texts and names', () => {
    expect(findJsonError({ a: [{ b: 'x\0' }] }, 'body')).toMatchObject({ path: 'body.a.0.b' })
    expect(findJsonError({ 'a\0': 1 }, 'body')).toMatchObject({ path: 'body' })
  })

  it('must not contain lone surrogates, which JSON allows and a store refuses', () => {
    expect(findJsonError({ a: ['x\ud800y'] }, 'body')).toMatchObject({
      path: 'body.a.0',
      message: expect.stringContaining('half of a character') as string,
    })
    expect(findJsonError({ '\udfff': 1 }, 'body')).toMatchObject({ path: 'body' })
    expect(findJsonError({ '🛴': '🛴' }, 'body')).toBeNull()
  })

  it('must be JSON', () => {
    for (const value of [Readable.from(['x']), Buffer.from('x'), new Map(), { a: new Date() }])
      expect(findJsonError(value, 'body')?.message).toBe('must be JSON.')
  })

  it('must not be nested too deep', () => {
    for (const levels of [65, 200_000])
      expect(findJsonError(nested(levels), 'body')).toEqual({
        path: 'body',
        message: 'is nested deeper than 64.',
      })
  })
})
