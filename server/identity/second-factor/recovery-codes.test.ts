import { expect, it } from 'vitest'
import { makeRecoveryCodes, tidyRecoveryCode } from './recovery-codes.ts'

it('makes ten codes, all different, without signs that look alike', () => {
  const codes = makeRecoveryCodes()
  expect(codes).toHaveLength(10)
  expect(new Set([...codes, ...makeRecoveryCodes()]).size).toBe(20)
  for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{5}-[a-hjkmnp-z2-9]{5}$/)
})

it('knows a code however it was typed, and makes no other code of it', () => {
  const [code = ''] = makeRecoveryCodes()
  for (const typed of [code, code.toUpperCase(), code.replace('-', ''), code.replace('-', ' '), ` ${code}\n`])
    expect(tidyRecoveryCode(typed)).toBe(code)
  expect(tidyRecoveryCode(`${code}x`)).toBe(`${code}x`)
  expect(tidyRecoveryCode('')).toBe('-')
})
