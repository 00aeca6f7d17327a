import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toSlug } from './slug.ts'

it.each([
  ['Bird', 'bird'],
  ['Bird Rides, Inc.', 'bird-rides-inc-'],
  ['_lime', 'lime'],
  ['', ''],
])('%s becomes %s', (name, slug) => expect(toSlug(name)).toBe(slug))

it('is a valid slug, or empty, and stable', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'Z', '7', ' ', '-', '_', '.', 'é', '東'), maxLength: 80 }),
      (name) => {
        const slug = toSlug(name)
        expect(slug).toMatch(/^([a-z0-9][a-z0-9_-]{0,59})?$/)
        expect(toSlug(slug)).toBe(slug)
      },
    ),
  )
})
