import { expect, test } from 'vitest'
import { countTests, countsLine } from './count-tests.js'

const passed = (name) => ({ name, outcome: 'passed' })
const failed = (name) => ({ name, outcome: 'failed' })
const skipped = (name) => ({ name, outcome: 'skipped' })

test('adds up the tests of all parts', () => {
  expect(countTests([[passed('a'), failed('b')], [passed('c')]])).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
  })
})

test('does not count a test as skipped if another part runs it', () => {
  expect(countTests([[skipped('a')], [passed('a')]])).toEqual({ passed: 1, failed: 0, skipped: 0 })
  expect(countTests([[passed('a')], [skipped('a')]])).toEqual({ passed: 1, failed: 0, skipped: 0 })
})

test('counts a test as failed if it fails in one part', () => {
  expect(countTests([[failed('a')], [passed('a')]])).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

test('counts two tests of the same name in one part as two', () => {
  expect(countTests([[passed('a'), failed('a')]])).toEqual({ passed: 1, failed: 1, skipped: 0 })
})

test('mentions skipped tests only if there are any', () => {
  expect(countsLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
  expect(countsLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
})
