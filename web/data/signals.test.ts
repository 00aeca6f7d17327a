import { expect, it, vi } from 'vitest'
import { createSignal } from './signals.ts'

it('notifies listeners of changes only', () => {
  const signal = createSignal(1)
  const listener = vi.fn<() => void>()
  const stop = signal.watch(listener)
  signal.write(1)
  expect(listener).not.toHaveBeenCalled()
  signal.write(2)
  expect([signal.read(), listener.mock.calls.length]).toEqual([2, 1])
  stop()
  signal.write(3)
  expect(listener).toHaveBeenCalledOnce()
})

it('notifies every listener, even if signal unsubscribes during the notification', () => {
  const signal = createSignal('a')
  const calls: string[] = []
  const stopFirst = signal.watch(() => {
    calls.push(`first ${signal.read()}`)
    stopFirst()
  })
  signal.watch(() => calls.push(`second ${signal.read()}`))
  signal.write('b')
  signal.write('c')
  expect(calls).toEqual(['first b', 'second b', 'second c'])
})

it('treats NaN as equal to NaN', () => {
  const signal = createSignal(Number.NaN)
  const listener = vi.fn<() => void>()
  signal.watch(listener)
  signal.write(Number.NaN)
  expect(listener).not.toHaveBeenCalled()
})
