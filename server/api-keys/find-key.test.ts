import { describe, expect, it } from 'vitest'
import {
  isAddressAllowed,
  hashSecret,
  isSameHash,
  readKeyFromHeaders,
  createKeyText,
  parseKey,
} from './find-key.ts'

describe('a key', () => {
  it('can be parsed after its creation, and differs from every other', () => {
    const keys = Array.from({ length: 50 }, () => createKeyText('live'))
    for (const { text, keyId, secretHash, prefix } of keys) {
      expect(parseKey(text)).toEqual({ keyId, secretHash })
      expect(text.startsWith(`${prefix}_`)).toBe(true)
    }
    expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(50)
  })

  it.each(['', 'short', 'pwk_live_abc', `pwk_live_abcdefghijkl_${'x'.repeat(42)}`, `${'a'.repeat(40)} b`])(
    '%j is none',
    (text) => {
      expect(parseKey(text)).toBeNull()
    },
  )

  it('of another form is found by the hash of its text', () => {
    const text = `mds_${'a'.repeat(43)}`
    expect(parseKey(text)).toEqual({ keyId: hashSecret(text), secretHash: hashSecret(text) })
  })

  it('is in one of two headers', () => {
    const readKey = (headers: Record<string, string>) => readKeyFromHeaders(new Headers(headers))
    expect(readKey({ 'x-api-key': 'one', authorization: 'Bearer two' })).toBe('one')
    expect(readKey({ authorization: 'bearer two' })).toBe('two')
    expect([readKey({ authorization: 'Basic two' }), readKey({ cookie: 'x-api-key=one' })]).toEqual([
      null,
      null,
    ])
  })

  it('compares hashes of any length', () => {
    expect([isSameHash('abc', 'abc'), isSameHash('abc', 'abd'), isSameHash('abc', 'ab')]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('addresses', () => {
  it.each([
    [[], '10.0.0.1', true],
    [['203.0.113.0/24'], '203.0.113.255', true],
    [['203.0.113.0/24'], '203.0.114.0', false],
    [['203.0.113.7'], '203.0.113.7', true],
    [['203.0.113.0/24'], '::ffff:203.0.113.9', true],
    [['2001:db8::/32'], '2001:db8:1::1', true],
    [['2001:db8::/32'], '203.0.113.9', false],
    [['10.0.0.0/8', '2001:db8::/32'], '10.255.0.1', true],
    [['0.0.0.0/0'], 'somewhere', false],
  ] as const)('of %j: %s', (cidrs, address, isAllowed) => {
    expect(isAddressAllowed(cidrs, address)).toBe(isAllowed)
  })
})
