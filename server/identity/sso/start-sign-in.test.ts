import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSafePlace } from './start-sign-in.ts'

const site = 'https://streets.example'

test.each([
  ['/port-meridian/mobility/maps/trips?layer=x#y', '/port-meridian/mobility/maps/trips?layer=x#y'],
  ['/logins/x', '/logins/x'],
  ['/', '/'],
  [null, '/'],
  ['', '/'],
  ['port-meridian', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['https://streets.example/x', '/'],
  ['/login?origin=/x', '/'],
  ['/a/../api/sso/start', '/'],
  ['/oidc/login?iss=x', '/'],
  ['/.//evil.example', '/'],
  ['/a/..//evil.example', '/'],
  ['/%2e\\/evil.example', '/'],
  ['/x\r\nset-cookie: a=b', '/'],
  [`/${'x'.repeat(2000)}`, '/'],
])('%j becomes %s', (place, path) => expect(toSafePlace(place, site)).toBe(path))

test('toSafePlace never leads to another site or breaks a header', () => {
  const fragment = fc.constantFrom(
    '/',
    '\\',
    ':',
    '.',
    '@',
    '?',
    '#',
    'a',
    'e',
    'http',
    'evil.example',
    '\t',
    '\n',
    '\r',
    '\0',
    ' ',
    '%2F',
    '%5C',
  )
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 8 }), (fragments) => {
      const place = toSafePlace(fragments.join(''), site)
      expect(new URL(place, site).origin).toBe(site)
      expect(place).not.toMatch(/[\r\n]/)
    }),
    { numRuns: 2000 },
  )
})
