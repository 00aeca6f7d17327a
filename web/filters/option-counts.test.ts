import { expect, it } from 'vitest'
import { countOptions } from './option-counts.ts'

const rows = [
  { keys: ['heron', 'scooter'], values: [5] },
  { keys: ['heron', 'bicycle'], values: [2] },
  { keys: ['lark', 'scooter'], values: [4] },
  { keys: ['lark', 'moped'], values: [null] },
]

it('sums each option with the other filter applied, but not its own', () => {
  expect(countOptions(rows, {})).toEqual({
    operators: new Map([
      ['heron', 7],
      ['lark', 4],
    ]),
    vehicleTypes: new Map([
      ['scooter', 9],
      ['bicycle', 2],
      ['moped', 0],
    ]),
  })
  const { operators, vehicleTypes } = countOptions(rows, { operators: ['heron'], vehicle_types: ['bicycle'] })
  expect(operators).toEqual(new Map([['heron', 2]]))
  expect(vehicleTypes).toEqual(
    new Map([
      ['scooter', 5],
      ['bicycle', 2],
    ]),
  )
})
