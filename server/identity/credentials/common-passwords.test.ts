import { expect, it } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'

it.each([
  ['password1234', true],
  ['Administrator', true],
  ['QWERTYuiop12', true],
  ['a long enough password', false],
  ['meridian-admin', false],
  // Lines of the file that are not hashes.
  ['', false],
])('%s: is common: %s', (password, isCommon) => expect(isCommonPassword(password)).toBe(isCommon))
