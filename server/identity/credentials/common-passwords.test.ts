import { expect, test } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'

test.each([
  ['password1234', true],
  ['Administrator', true],
  ['QWERTYuiop12', true],
  ['a long enough password', false],
  ['meridian-admin', false],
  // Lines of the file that are not hashes.
  ['', false],
])('%s: is common: %s', (password, isCommon) => expect(isCommonPassword(password)).toBe(isCommon))
