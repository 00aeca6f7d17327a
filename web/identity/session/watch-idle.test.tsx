import { fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { debounceMs, idleMs, isIdle, watchIdle } from './watch-idle.ts'

const key = 'last-active'
const start = 1_800_000_000_000
let stops: (() => void)[] = []

/** One tab: with the storage that all share, and events that only it hears. */
function tab() {
  const onIdle = vi.fn<() => void>()
  const onElsewhere = vi.fn<() => void>()
  const lastActive = () => (localStorage.getItem(key) === null ? null : Number(localStorage.getItem(key)))
  const stop = watchIdle({
    now: () => Date.now(),
    lastActive,
    noteActive: (at) => localStorage.setItem(key, String(at)),
    onIdle,
    onElsewhere,
    page: window,
    storageKey: key,
  })
  stops.push(stop)
  return { onIdle, onElsewhere, stop }
}
const noted = () => Number(localStorage.getItem(key)) - start
const otherTab = (newValue: string | null, of: string | null = key) => {
  if (newValue === null) localStorage.removeItem(key)
  else localStorage.setItem(key, newValue)
  window.dispatchEvent(new StorageEvent('storage', { key: of, newValue }))
}

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ now: start })
})
afterEach(() => {
  for (const stop of stops) stop()
  stops = []
  vi.useRealTimers()
})

describe('at load', () => {
  it.each([
    [null, false],
    [idleMs - 1, false],
    [idleMs, true],
    [idleMs * 24, true],
  ])('%s ms after the last act: idle is %s', (ago, idle) => {
    if (ago !== null) localStorage.setItem(key, String(start - ago))
    const { onIdle } = tab()
    expect(onIdle).toHaveBeenCalledTimes(idle ? 1 : 0)
    expect(isIdle(ago === null ? null : start - ago, start)).toBe(idle)
    // Who is out leaves the time as it was: the next load must find it stale too.
    expect(noted()).toBe(idle ? -(ago ?? 0) : 0)
  })

  it('is an hour', () => expect([idleMs, debounceMs]).toEqual([3_600_000, 500]))
})

describe('while the page is open', () => {
  it('an hour without an act signs out, to the second, and once', () => {
    const { onIdle } = tab()
    vi.advanceTimersByTime(idleMs - 1)
    expect(onIdle).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onIdle).toHaveBeenCalledOnce()
    fireEvent.keyDown(window)
    vi.advanceTimersByTime(idleMs)
    expect(onIdle).toHaveBeenCalledOnce()
  })

  it.each(['pointerDown', 'pointerMove', 'keyDown', 'wheel', 'scroll', 'touchStart'] as const)(
    '%s is an act',
    (act) => {
      const { onIdle } = tab()
      vi.advanceTimersByTime(idleMs - 1000)
      fireEvent[act](document.body)
      vi.advanceTimersByTime(debounceMs)
      vi.advanceTimersByTime(idleMs - 1)
      expect(onIdle).not.toHaveBeenCalled()
      vi.advanceTimersByTime(1)
      expect(onIdle).toHaveBeenCalledOnce()
    },
  )

  it('acts in quick succession are noted once, half a second after the last', () => {
    tab()
    vi.advanceTimersByTime(10_000)
    for (let i = 0; i < 10; i++) {
      fireEvent.keyDown(window)
      vi.advanceTimersByTime(499)
    }
    expect(noted()).toBe(0)
    vi.advanceTimersByTime(1)
    expect(noted()).toBe(10_000 + 10 * 499 + 1)
  })

  it('an act after a sleep comes too late, however the timers ran', () => {
    const { onIdle } = tab()
    vi.setSystemTime(start + 2 * idleMs)
    fireEvent.pointerMove(window)
    expect(onIdle).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(debounceMs)
    expect(noted()).toBe(0)
  })

  it('a sleep is noticed without any act: soon, or when the page is shown', () => {
    const { onIdle } = tab()
    vi.setSystemTime(start + 2 * idleMs)
    vi.advanceTimersByTime(30_000)
    expect(onIdle).toHaveBeenCalledOnce()
    localStorage.clear()
    const shown = tab()
    vi.setSystemTime(start + 5 * idleMs)
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    expect(shown.onIdle).not.toHaveBeenCalled()
    visibility.mockReturnValue('visible')
    document.dispatchEvent(new Event('visibilitychange'))
    expect(shown.onIdle).toHaveBeenCalledOnce()
  })

  it('hears nothing any more once it is stopped', () => {
    const { onIdle, onElsewhere, stop } = tab()
    fireEvent.keyDown(window)
    stop()
    vi.advanceTimersByTime(2 * idleMs)
    otherTab(null)
    expect([onIdle.mock.calls, onElsewhere.mock.calls]).toEqual([[], []])
    expect(localStorage.getItem(key)).toBeNull()
  })
})

describe('other tabs', () => {
  it('keep this one signed in', () => {
    const { onIdle } = tab()
    vi.advanceTimersByTime(idleMs - 1000)
    otherTab(String(Date.now()))
    vi.advanceTimersByTime(idleMs - 1)
    expect(onIdle).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onIdle).toHaveBeenCalledOnce()
  })

  it('that sign out take this one along', () => {
    const { onIdle, onElsewhere } = tab()
    fireEvent.keyDown(window)
    otherTab(null)
    expect(onElsewhere).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(2 * idleMs)
    expect(onIdle).not.toHaveBeenCalled()
    // The act that was not noted yet must not look like somebody's.
    expect(localStorage.getItem(key)).toBeNull()
  })

  it('that clear all that is stored do so too, and those that store something else do not', () => {
    const first = tab()
    otherTab(null, 'another')
    expect(first.onElsewhere).not.toHaveBeenCalled()
    window.dispatchEvent(new StorageEvent('storage', { key: null, newValue: null }))
    expect(first.onElsewhere).toHaveBeenCalledOnce()
  })
})
