import { expect, test, vi } from 'vitest'
import { openStartupLog } from './startup-log.ts'

test('The startup log logs slow steps, including failed ones, and all steps when the server is ready', async () => {
  let time = 0
  const log = vi.fn()
  const startup = openStartupLog(log, () => time)
  const workFor = (ms: number) => async () => void (time += ms)
  await startup.step('stores', workFor(900))
  await startup.step('web', workFor(20))
  await expect(
    startup.step('fleet', async () => {
      time += 300
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  startup.ready()
  expect(log.mock.calls).toEqual([
    ['start', { step: 'stores', ms: 900 }],
    ['start', { step: 'fleet', ms: 300 }],
    ['ready', { ms: 1220, steps: { stores: 900, web: 20, fleet: 300 } }],
  ])
})
