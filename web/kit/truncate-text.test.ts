import fc from 'fast-check'
import { expect, it } from 'vitest'
import { truncateText } from './truncate-text.ts'

it('truncates texts over twenty characters', () => {
  expect(truncateText('x'.repeat(20))).toBe('x'.repeat(20))
  expect(truncateText('x'.repeat(21))).toBe(`${'x'.repeat(20)}…`)
  expect(truncateText('abcdef', 3)).toBe('abc…')
  expect(truncateText('A name that does not fit into a tag')).toBe('A name that does not…')
})

it('does not split graphemes', () => expect(truncateText('👩‍👩‍👧🇪🇸é!', 2)).toBe('👩‍👩‍👧🇪🇸…'))

it('a truncated text is a prefix and never longer', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 31, maxLength: 60 }),
      fc.integer({ min: 1, max: 30 }),
      (text, longest) => {
        const cut = truncateText(text, longest)
        expect(cut.endsWith('…') && text.startsWith(cut.slice(0, -1))).toBe(true)
        expect(cut.length).toBeLessThanOrEqual(longest + 1)
      },
    ),
  )
})
