import { describe, expect, it } from 'vitest'
import { encodeBase32, findMatchingStep, formatOtpauthUri, getStep, computeTotpCode } from './totp.ts'

// RFC 6238, appendix B: its codes have eight digits, of which ours are the last six.
const secret = '12345678901234567890'
const codes: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]
const timeAt = (seconds: number): Date => new Date(seconds * 1000)

describe('codes of an authenticator app', () => {
  it.each(codes)('at %i seconds are those of the standard', (seconds, code) => {
    expect(computeTotpCode(secret, getStep(timeAt(seconds)))).toBe(code)
    expect(findMatchingStep(secret, code, timeAt(seconds))).toBe(getStep(timeAt(seconds)))
  })

  it('are valid up to one step before and after their time', () => {
    const steps = [-60, -30, 0, 30, 60].map((offsetSeconds) =>
      findMatchingStep(secret, '081804', timeAt(1_111_111_109 + offsetSeconds)),
    )
    const step = getStep(timeAt(1_111_111_109))
    expect(steps).toEqual([null, step, step, step, null])
  })

  it('must be six digits', () => {
    for (const code of ['', '28708', '2870820', '28708a', ' 287082', '２８７０８２'])
      expect(findMatchingStep(secret, code, timeAt(59))).toBeNull()
  })
})

describe('the secret', () => {
  // RFC 4648, section 10, without the padding.
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('%s is encoded as %s', (text, encoded) => expect(encodeBase32(text)).toBe(encoded))

  it('is in the URI with its names, percent-encoded', () => {
    const uri = new URL(formatOtpauthUri('Publicway', 'a&b?@alder.example', 'foobar'))
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/Publicway:a&b?@alder.example',
    ])
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: 'MZXW6YTBOI',
      issuer: 'Publicway',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})
