import { expect, it } from 'vitest'
import { findOptions } from './dropdown-option.ts'

const options = [
  { value: 'a', text: 'Málaga', description: 'By the sea' },
  { value: 'b', text: 'Toledo', description: 'On a hill' },
  { value: 'c', text: 'Vigo' },
]
const found = (search: string): string[] => findOptions(options, search).map(({ value }) => value)

it('options are found by text and description, ignoring case and accents', () => {
  expect(found('')).toEqual(['a', 'b', 'c'])
  expect(found(' MALAGA ')).toEqual(['a'])
  expect(found('hill')).toEqual(['b'])
  expect(found('o')).toEqual(['b', 'c'])
  expect(found('x')).toEqual([])
})
