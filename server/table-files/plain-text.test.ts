import { expect, test } from 'vitest'
import { toPlainText, removeContacts } from './plain-text.ts'

test('toPlainText converts any value to a text that the stores accept', () => {
  expect(
    [' a ', 7, true, null, undefined, {}, 'x\0y', 'abcdef', '\uD83D\uDE00', '\uD83D'].map((value) =>
      toPlainText(value, 5),
    ),
  ).toEqual(['a', '7', 'true', '', '', '', 'xy', 'abcde', '😀', '\uFFFD'])
  // Truncation between the halves of a surrogate pair removes both.
  expect(toPlainText('abcd😀', 5)).toBe('abcd\uFFFD')
})

test('removeContacts removes mail addresses and telephone numbers, and nothing else', () => {
  expect(removeContacts('mail ada.l+x@home.example or call (614) 555-0100 / +1 614-555-0100')).toBe(
    'mail (not kept) or call (not kept) / (not kept)',
  )
  for (const text of [
    '2026-07-01 10:00',
    'CAS-3107193-J5L1R4',
    '43215-1234',
    'at 3121 W BROAD ST',
    '39.954312, -83.083806',
  ])
    expect(removeContacts(text)).toBe(text)
})
