import { expect, it, vi } from 'vitest'
import { createSignal } from './signals.ts'

it('tells its watchers of changes, and of nothing else', () => {
  const one = createSignal(1)
  const listener = vi.fn<() => void>()
  const stop = one.watch(listener)
  one.write(1)
  expect(listener).not.toHaveBeenCalled()
  one.write(2)
  expect([one.read(), listener.mock.calls.length]).toEqual([2, 1])
  stop()
  one.write(3)
  expect(listener).toHaveBeenCalledOnce()
})

it('tells every watcher, and goes on when one leaves while it is told', () => {
  const one = createSignal('a')
  const heard: string[] = []
  const stopFirst = one.watch(() => {
    heard.push(`first ${one.read()}`)
    stopFirst()
  })
  one.watch(() => heard.push(`second ${one.read()}`))
  one.write('b')
  one.write('c')
  expect(heard).toEqual(['first b', 'second b', 'second c'])
})

it('takes no number for a number, once', () => {
  const one = createSignal(Number.NaN)
  const listener = vi.fn<() => void>()
  one.watch(listener)
  one.write(Number.NaN)
  expect(listener).not.toHaveBeenCalled()
})
