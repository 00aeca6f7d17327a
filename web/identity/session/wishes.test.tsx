import { beforeEach, expect, it } from 'vitest'
import { forgetWish, hasWish, keepWish } from './wishes.ts'

const at = 1_800_000_000_000
const minute = 60_000
beforeEach(() => localStorage.clear())

it('a wish is kept under the key of its own, until it is forgotten', () => {
  keepWish('enroll', 'u1', at)
  expect([hasWish('enroll', 'u1', at + minute), hasWish('unenroll', 'u1', at + minute)]).toEqual([
    true,
    false,
  ])
  expect(Object.keys(localStorage)).toEqual(['publicway.want-to-enroll'])
  keepWish('unenroll', 'u1', at)
  expect(localStorage.getItem('publicway.want-to-unenroll')).not.toBeNull()
  forgetWish('enroll')
  expect([hasWish('enroll', 'u1', at), hasWish('unenroll', 'u1', at)]).toEqual([false, true])
})

it('the wish of another user is none, and is forgotten', () => {
  keepWish('unenroll', 'u1', at)
  expect(hasWish('unenroll', 'u2', at)).toBe(false)
  expect(hasWish('unenroll', 'u1', at)).toBe(false)
})

it.each([
  [15 * minute, true],
  [15 * minute + 1, false],
  [-1, false],
])('%d ms later it holds: %s', (ms, holds) => {
  keepWish('enroll', 'u1', at)
  expect(hasWish('enroll', 'u1', at + ms)).toBe(holds)
})

it.each(['{', 'true', '7', '{"userId":"u1"}', '{"userId":"u1","at":"now"}'])('%s is no wish', (stored) => {
  localStorage.setItem('publicway.want-to-enroll', stored)
  expect(hasWish('enroll', 'u1', at)).toBe(false)
  expect(localStorage.getItem('publicway.want-to-enroll')).toBeNull()
})
