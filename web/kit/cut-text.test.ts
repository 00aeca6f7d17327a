import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutText } from './cut-text.ts'

it('twenty characters stay whole, more are cut', () => {
  expect(cutText('x'.repeat(20))).toBe('x'.repeat(20))
  expect(cutText('x'.repeat(21))).toBe(`${'x'.repeat(20)}…`)
  expect(cutText('abcdef', 3)).toBe('abc…')
  expect(cutText('A name that does not fit into a tag')).toBe('A name that does not…')
})

it('what people see as one character is not cut apart', () => expect(cutText('👩‍👩‍👧🇪🇸é!', 2)).toBe('👩‍👩‍👧🇪🇸…'))

it('a cut text begins as the whole one', () => {
  fc.assert(fc.property(fc.string({ maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (text, longest) => text.startsWith(cutText(text, longest).replace(/…$/, '')) || text.endsWith('…')))
})
