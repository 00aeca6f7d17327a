import { expect, test } from 'vitest'
import { blank } from './blank.ts'

test('blanks comments and keeps lines and columns', () => {
  expect(blank('a(); // one\nb(/* two\n */);', 'keep')).toBe(
    `a();${' '.repeat(7)}\nb(${' '.repeat(6)}\n   );`,
  )
})

test('keeps what looks like a comment in a string', () => {
  expect(blank("const url = 'https://city.example'; // home", 'keep').trimEnd()).toBe(
    "const url = 'https://city.example';",
  )
})

test('blanks strings if asked, but not their quotes', () => {
  expect(blank("call('a\\'b', `c\n${d}`, \"e\")", 'blank')).toBe('call(\'    \', ` \n    `, " ")')
})

test('a regular expression is no comment and hides its quotes', () => {
  expect(blank("const at = /['\"]\\/\\/[/]/; call('a')", 'keep')).toBe(
    "const at = /['\"]\\/\\/[/]/; call('a')",
  )
  expect(blank("half = a / 2; // it's\nb", 'keep')).toBe(`half = a / 2;${' '.repeat(8)}\nb`)
})

test("an apostrophe in a component's text is no string", () => {
  expect(blank("<p>the city's trips</p> // why\n<a href='x'>", 'keep')).toBe(
    `<p>the city's trips</p>${' '.repeat(7)}\n<a href='x'>`,
  )
})
