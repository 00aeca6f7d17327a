import { expect, test, vi } from 'vitest'
import { FactError } from './engine.ts'
import { isDiskFull, minFreeBytes, watchDisk } from './disk-full.ts'

test('isDiskFull recognizes a full disk by errors of files and of both stores, also as a cause', () => {
  const withCode = (code: string) => Object.assign(new Error('write failed'), { code })
  for (const error of [
    withCode('ENOSPC'),
    withCode('53100'),
    new FactError(243, 'Cannot reserve 1.00 MiB'),
    new Error('could not extend file "base/5/1259": No space left on device'),
    new Error('Failed query', { cause: withCode('ENOSPC') }),
  ])
    expect(isDiskFull(error)).toBe(true)
  for (const error of [
    withCode('ENOENT'),
    new FactError(241, 'Memory limit'),
    new Error('no'),
    'ENOSPC',
    null,
  ])
    expect(isDiskFull(error)).toBe(false)
})

test('watchDisk reports the state of the disk and logs each change once', async () => {
  let free: number | null = minFreeBytes
  const log = vi.fn()
  const checkDisk = watchDisk('/data', log, async () => free)
  expect([await checkDisk(), await checkDisk()]).toEqual(['ok', 'ok'])
  free = minFreeBytes - 1
  expect([await checkDisk(), await checkDisk()]).toEqual(['full', 'full'])
  free = null
  expect(await checkDisk()).toBe('ok')
  expect(log.mock.calls).toEqual([
    ['disk', { state: 'full', bytes: minFreeBytes - 1 }],
    ['disk', { state: 'ok', bytes: null }],
  ])
})
