import { expect, it, vi } from 'vitest'
import { openStartupLog } from './startup-log.ts'

it('logs each slow step, and all of them once the server is ready, also where a step fails', async () => {
  let time = 0
  const log = vi.fn()
  const startup = openStartupLog(log, () => time)
  const take = (ms: number) => async () => void (time += ms)
  await startup.step('stores', take(900))
  await startup.step('web', take(20))
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
