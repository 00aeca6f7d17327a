import { expect, test } from 'vitest'
import { AddressLimit } from './address-limit.ts'

const atSecond = (seconds: number): Date => new Date(seconds * 1000)

test('AddressLimit admits a number of calls per address and window, and more as time passes', async () => {
  const limit = new AddressLimit(2, 60_000)
  expect([
    await limit.admits('10.0.0.1', atSecond(0)),
    await limit.admits('10.0.0.1', atSecond(1)),
    await limit.admits('10.0.0.1', atSecond(2)),
    await limit.admits('10.0.0.2', atSecond(2)),
  ]).toEqual([true, true, false, true])
  expect(await limit.admits('10.0.0.1', atSecond(31))).toBe(true)
})

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', false],
  ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002::', false],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', true],
  ['::ffff:10.0.0.1', '::ffff:10.0.0.2', true],
  ['::1', '::2', true],
])('%s and %s are counted separately: %s', async (first, second, isSeparate) => {
  const limit = new AddressLimit(1, 60_000)
  await limit.admits(first, atSecond(0))
  expect(await limit.admits(second, atSecond(0))).toBe(isSeparate)
})
