import { fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { activityDebounceMs, idleTimeoutMs, isIdle, trackInactivity } from './track-inactivity.ts'

const key = 'last-active'
const start = 1_800_000_000_000
let stops: (() => void)[] = []

/** Tracks one tab, with the shared storage. */
function openTab() {
  const onIdle = vi.fn<() => void>()
  const onSignedOutElsewhere = vi.fn<() => void>()
  const readLastActivity = () =>
    localStorage.getItem(key) === null ? null : Number(localStorage.getItem(key))
  const stop = trackInactivity({
    now: () => Date.now(),
    lastActive: readLastActivity,
    onActivity: (at) => localStorage.setItem(key, String(at)),
    onIdle,
    onSignedOutElsewhere,
    page: window,
    storageKey: key,
  })
  stops.push(stop)
  return { onIdle, onSignedOutElsewhere, stop }
}
const getWriteTime = () => Number(localStorage.getItem(key)) - start
const otherTab = (newValue: string | null, changedKey: string | null = key) => {
  if (newValue === null) localStorage.removeItem(key)
  else localStorage.setItem(key, newValue)
  window.dispatchEvent(new StorageEvent('storage', { key: changedKey, newValue }))
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
    [idleTimeoutMs - 1, false],
    [idleTimeoutMs, true],
    [idleTimeoutMs * 24, true],
  ])('%s ms after the last activity, idle is %s', (ago, idle) => {
    if (ago !== null) localStorage.setItem(key, String(start - ago))
    const { onIdle } = openTab()
    expect(onIdle).toHaveBeenCalledTimes(idle ? 1 : 0)
    expect(isIdle(ago === null ? null : start - ago, start)).toBe(idle)
    // The stored time of an idle user stays: it must be stale at the next load too.
    expect(getWriteTime()).toBe(idle ? -(ago ?? 0) : 0)
  })

  it('the idle timeout is an hour', () =>
    expect([idleTimeoutMs, activityDebounceMs]).toEqual([3_600_000, 500]))
})

describe('the tracker while the page is open', () => {
  it('signs out once, exactly an hour after the last activity', () => {
    const { onIdle } = openTab()
    vi.advanceTimersByTime(idleTimeoutMs - 1)
    expect(onIdle).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onIdle).toHaveBeenCalledOnce()
    fireEvent.keyDown(window)
    vi.advanceTimersByTime(idleTimeoutMs)
    expect(onIdle).toHaveBeenCalledOnce()
  })

  it.each(['pointerDown', 'pointerMove', 'keyDown', 'wheel', 'scroll', 'touchStart'] as const)(
    '%s is activity',
    (act) => {
      const { onIdle } = openTab()
      vi.advanceTimersByTime(idleTimeoutMs - 1000)
      fireEvent[act](document.body)
      vi.advanceTimersByTime(activityDebounceMs)
      vi.advanceTimersByTime(idleTimeoutMs - 1)
      expect(onIdle).not.toHaveBeenCalled()
      vi.advanceTimersByTime(1)
      expect(onIdle).toHaveBeenCalledOnce()
    },
  )

  it('writes a burst of activity once, half a second after the last event', () => {
    openTab()
    vi.advanceTimersByTime(10_000)
    for (let i = 0; i < 10; i++) {
      fireEvent.keyDown(window)
      vi.advanceTimersByTime(499)
    }
    expect(getWriteTime()).toBe(0)
    vi.advanceTimersByTime(1)
    expect(getWriteTime()).toBe(10_000 + 10 * 499 + 1)
  })

  it('ignores activity after the machine slept for too long, even if no timer has run', () => {
    const { onIdle } = openTab()
    vi.setSystemTime(start + 2 * idleTimeoutMs)
    fireEvent.pointerMove(window)
    expect(onIdle).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(activityDebounceMs)
    expect(getWriteTime()).toBe(0)
  })

  it('detects a sleep without activity: soon, or when the page becomes visible', () => {
    const { onIdle } = openTab()
    vi.setSystemTime(start + 2 * idleTimeoutMs)
    vi.advanceTimersByTime(30_000)
    expect(onIdle).toHaveBeenCalledOnce()
    localStorage.clear()
    const shown = openTab()
    vi.setSystemTime(start + 5 * idleTimeoutMs)
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    expect(shown.onIdle).not.toHaveBeenCalled()
    visibility.mockReturnValue('visible')
    document.dispatchEvent(new Event('visibilitychange'))
    expect(shown.onIdle).toHaveBeenCalledOnce()
  })

  it('the tracker does nothing after it is stopped', () => {
    const { onIdle, onSignedOutElsewhere, stop } = openTab()
    fireEvent.keyDown(window)
    stop()
    vi.advanceTimersByTime(2 * idleTimeoutMs)
    otherTab(null)
    expect([onIdle.mock.calls, onSignedOutElsewhere.mock.calls]).toEqual([[], []])
    expect(localStorage.getItem(key)).toBeNull()
  })
})

describe('other tabs', () => {
  it('extend the session of this one', () => {
    const { onIdle } = openTab()
    vi.advanceTimersByTime(idleTimeoutMs - 1000)
    otherTab(String(Date.now()))
    vi.advanceTimersByTime(idleTimeoutMs - 1)
    expect(onIdle).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onIdle).toHaveBeenCalledOnce()
  })

  it('that sign out also sign out this one', () => {
    const { onIdle, onSignedOutElsewhere } = openTab()
    fireEvent.keyDown(window)
    otherTab(null)
    expect(onSignedOutElsewhere).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(2 * idleTimeoutMs)
    expect(onIdle).not.toHaveBeenCalled()
    // Unwritten activity must not be written afterward.
    expect(localStorage.getItem(key)).toBeNull()
  })

  it('that clear the storage sign out this one; other keys do not matter', () => {
    const first = openTab()
    otherTab(null, 'another')
    expect(first.onSignedOutElsewhere).not.toHaveBeenCalled()
    window.dispatchEvent(new StorageEvent('storage', { key: null, newValue: null }))
    expect(first.onSignedOutElsewhere).toHaveBeenCalledOnce()
  })
})
