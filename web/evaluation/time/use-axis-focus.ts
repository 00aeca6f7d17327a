import { useCallback } from 'react'
import { useFocusHandover } from '#web/kit/focus.ts'

export interface AxisFocus {
  /** Said when the axis is asked for, or another one. */
  toAxis: () => void
  takeAxis: (shown: HTMLElement | null) => void
  /** Said when the axis is closed. */
  toButton: () => void
  takeButton: (shown: HTMLElement | null) => void
}

/** The button that opens a time axis goes when the axis comes, and the other way round: the keyboard stays with what was asked for. */
export function useAxisFocus(): AxisFocus {
  const { handOver: toAxis, take } = useFocusHandover()
  const { handOver: toButton, take: takeButton } = useFocusHandover()
  // An axis waits for its numbers: who went elsewhere meanwhile is left there.
  const takeAxis = useCallback(
    (shown: HTMLElement | null) => {
      if (shown && document.activeElement !== document.body) toAxis(false)
      take(shown)
    },
    [take, toAxis],
  )
  return { toAxis, takeAxis, toButton, takeButton }
}
