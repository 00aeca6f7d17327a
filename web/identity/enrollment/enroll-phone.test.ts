import { expect, it } from 'vitest'
import { normalizePhone } from './enroll-phone.tsx'

it.each([
  ['+1 555 010 0100', '+15550100100'],
  ['1 555 010 0100', '+15550100100'],
  ['+49 (30) 1234-567', '+49301234567'],
  ['34.912.345.678', '+34912345678'],
  ['030 1234567', null],
  ['+0 30 1234567', null],
  ['+1 555', null],
  ['+1 555 0100 0100 0100 01', null],
  ['call me', null],
  ['++1 555 010 0100', null],
  ['', null],
])('%s is sent as %s', (typed, sent) => expect(normalizePhone(typed)).toBe(sent))
