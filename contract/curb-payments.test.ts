import { expect, test } from 'vitest'
import { joinList, splitList } from './curb-payments.ts'

test('A payment filter reads lists in queries as they were written', () => {
  for (const values of [[], ['Card'], ['a,b', 'c\\d', ''], ['', '']]) {
    const text = joinList(values)
    expect(splitList(text)).toEqual(values)
  }
})
