import { expect, test } from 'vitest'
import { makeRecoveryCodes, normalizeRecoveryCode } from './recovery-codes.ts'

test('makeRecoveryCodes creates ten different codes without characters that look alike', () => {
  const codes = makeRecoveryCodes()
  expect(codes).toHaveLength(10)
  expect(new Set([...codes, ...makeRecoveryCodes()]).size).toBe(20)
  for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{5}-[a-hjkmnp-z2-9]{5}$/)
})

test('normalizeRecoveryCode normalizes the notation of a code and nothing else', () => {
  const [code = ''] = makeRecoveryCodes()
  for (const entered of [
    code,
    code.toUpperCase(),
    code.replace('-', ''),
    code.replace('-', ' '),
    ` ${code}\n`,
  ])
    expect(normalizeRecoveryCode(entered)).toBe(code)
  expect(normalizeRecoveryCode(`${code}x`)).toBe(`${code}x`)
  expect(normalizeRecoveryCode('')).toBe('-')
})
