import { expect, test } from 'vitest'
import { emptyPolicy, FeeProperties } from '#contract/policy.ts'
import { readFields, toStoredFields } from './stored-fields.ts'

test('Amounts are stored in minor units of their currency, and read back exactly', () => {
  const fields = {
    ...emptyPolicy(),
    value: 1.15,
    fee_properties: FeeProperties.parse({
      prices: { all: [{ start_time: null, end_time: null, price: 0.29 }] },
      prices_by_duration: [{ start_duration: 0, end_duration: null, price: null }],
    }),
  }
  const stored = JSON.parse(toStoredFields(fields, 'USD')) as { value: number }
  expect(stored).toMatchObject({
    value: 115,
    fee_properties: { prices: { all: [{ price: 29 }] }, prices_by_duration: [{ price: null }] },
  })
  expect(readFields(stored, 'USD')).toEqual(fields)
  expect(JSON.parse(toStoredFields({ ...fields, value: 250 }, 'JPY'))).toMatchObject({ value: 250 })
})
