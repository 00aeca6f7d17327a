import { expect, test } from 'vitest'
import { countTests, countsLine } from './count-tests.js'

const passed = (name) => ({ name, outcome: 'passed' })
const failed = (name) => ({ name, outcome: 'failed' })
const skipped = (name) => ({ name, outcome: 'skipped' })

test('adds up the parts', () => {
  expect(countTests([[passed('a'), failed('b')], [passed('c')]])).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
  })
})

test('a test that one part skips and another runs is not skipped', () => {
  expect(countTests([[skipped('a')], [passed('a')]])).toEqual({ passed: 1, failed: 0, skipped: 0 })
  expect(countTests([[passed('a')], [skipped('a')]])).toEqual({ passed: 1, failed: 0, skipped: 0 })
})

test('a test that fails in one part has failed', () => {
  expect(countTests([[failed('a')], [passed('a')]])).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

test('two tests of one name in one part are two', () => {
  expect(countTests([[passed('a'), failed('a')]])).toEqual({ passed: 1, failed: 1, skipped: 0 })
})

test('the line names the skipped only where there are any', () => {
  expect(countsLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
  expect(countsLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
})
