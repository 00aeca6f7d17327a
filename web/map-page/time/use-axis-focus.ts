import { useCallback } from 'react'
import { useFocusHandover } from '#web/kit/focus.ts'

export interface AxisFocus {
  /** Called when the axis, or another one, is opened. */
  toAxis: () => void
  takeAxis: (shown: HTMLElement | null) => void
  /** Called when the axis is closed. */
  toButton: () => void
  takeButton: (shown: HTMLElement | null) => void
}

/** Moves the focus between the axis and the button that opens it: one disappears when the other appears. */
export function useAxisFocus(): AxisFocus {
  const { handOver: toAxis, take } = useFocusHandover()
  const { handOver: toButton, take: takeButton } = useFocusHandover()
  // An axis waits for its numbers: if the user moved the focus meanwhile, it stays there.
  const takeAxis = useCallback(
    (shown: HTMLElement | null) => {
      if (shown && document.activeElement !== document.body) toAxis(false)
      take(shown)
    },
    [take, toAxis],
  )
  return { toAxis, takeAxis, toButton, takeButton }
}
