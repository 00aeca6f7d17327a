import { expect, test } from 'vitest'
import { isOldNode } from './node-version.js'

test.each([
  ['18.20.8', true],
  ['20.18.3', true],
  ['20.19.0', false],
  ['22.1.0', false],
])('Node %s is too old: %s', (version, old) => {
  expect(isOldNode(version)).toBe(old)
})
