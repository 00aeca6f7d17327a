import { expect, it } from 'vitest'
import { valueFor } from './send-layer.ts'

it('takes an option once for all files or once per file', () => {
  expect([0, 1].map((at) => valueFor('name-property', ['NAME'], 2, at))).toEqual(['NAME', 'NAME'])
  expect([0, 1, 2].map((at) => valueFor('name-property', ['NAME', '', 'TAZ'], 3, at))).toEqual(['NAME', undefined, 'TAZ'])
  expect(valueFor('level', undefined, 3, 1)).toBeUndefined()
  expect(() => valueFor('name-property', ['A', 'B'], 3, 0)).toThrow('--name-property is given 2 times for 3 files')
})
