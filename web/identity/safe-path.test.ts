import fc from 'fast-check'
import { expect, it } from 'vitest'
import { getSafePath } from './safe-path.ts'

it.each([
  [undefined, '/'],
  ['/port-meridian/mobility/maps/trips?layer=x#y', '/port-meridian/mobility/maps/trips?layer=x#y'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/login?origin=%2F', '/'],
  ['/logout', '/'],
  ['/oidc/login?iss=https%3A%2F%2Fid.example', '/'],
  ['/oauth2/login/close#x', '/'],
])('%s leads to %s', (origin, target) => expect(getSafePath(origin)).toBe(target))

it('never leads to another site, whatever the link contains', () => {
  const symbol = fc.constantFrom(
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
    ' ',
    '%2F',
  )
  fc.assert(
    fc.property(fc.array(symbol, { maxLength: 8 }), (symbols) => {
      expect(new URL(getSafePath(symbols.join('')), 'https://city.example/login').origin).toBe(
        'https://city.example',
      )
    }),
    { numRuns: 2000 },
  )
})

it('allows regions whose slug begins like a page before sign-in', () => {
  expect(getSafePath('/login-town/mobility/maps/trips')).toBe('/login-town/mobility/maps/trips')
  expect(getSafePath('/logout/')).toBe('/')
  expect(getSafePath('/login#x')).toBe('/')
})
