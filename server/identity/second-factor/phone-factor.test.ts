import { expect, test } from 'vitest'
import { parsePhoneNumber } from './phone-factor.ts'

test.each([
  ['+15550100100', '+15550100100'],
  ['15550100100', '+15550100100'],
  [' +1 (555) 010-0100 ', '+15550100100'],
  ['+49.30/123-456 78', '+493012345678'],
  ['+44\u00a020\u20137946\u20100000', '+442079460000'],
  ['+123456789012345', '+123456789012345'],
])('%s is normalized to %s', (text, number) => expect(parsePhoneNumber(text)).toBe(number))

test.each([
  '',
  '+',
  '030 123456',
  '0015550100100',
  '+0155501001',
  '+1234567',
  '+1234567890123456',
  '+1555abc0100',
  '++15550100100',
  '+15550100100;ext=1',
  '+1555010\n0100x',
  '١٢٣٤٥٦٧٨٩',
])('%j is not a phone number', (text) => expect(parsePhoneNumber(text)).toBeNull())
