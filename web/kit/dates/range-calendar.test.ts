import { expect, it } from 'vitest'
import { isInShownMonths, getFirstShownMonth } from './range-calendar.tsx'

it('a day is in the first visible month, unless later months have no selectable days', () => {
  expect(getFirstShownMonth('2026-05-10', 2)).toBe('2026-05-01')
  expect(getFirstShownMonth('2026-05-10', 2, '2026-11-21')).toBe('2026-05-01')
  expect(getFirstShownMonth('2026-11-10', 2, '2026-11-21')).toBe('2026-10-01')
  expect(getFirstShownMonth('2026-11-10', 1, '2026-11-21')).toBe('2026-11-01')
})

it('a day is visible within the visible months', () => {
  expect(isInShownMonths('2026-12-31', '2026-11-01', 2)).toBe(true)
  expect(isInShownMonths('2027-01-01', '2026-11-01', 2)).toBe(false)
  expect(isInShownMonths('2026-12-01', '2026-11-01', 1)).toBe(false)
  expect(isInShownMonths('2026-10-31', '2026-11-01', 2)).toBe(false)
})
