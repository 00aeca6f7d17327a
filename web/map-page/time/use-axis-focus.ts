import { useCallback } from 'react'
import { useFocusHandover } from '#web/kit/focus.ts'

export interface AxisFocus {
  /** Call it when the axis opens or is replaced. */
  toAxis: () => void
  /** Ref of the axis. */
  takeAxis: (shown: HTMLElement | null) => void
  /** Call it when the axis closes. */
  toButton: () => void
  /** Ref of the button that opens the axis. */
  takeButton: (shown: HTMLElement | null) => void
}

/** Moves the focus between the axis and the button that opens it: one disappears when the other appears. */
export function useAxisFocus(): AxisFocus {
  const { handOver: toAxis, take } = useFocusHandover()
  const { handOver: toButton, take: takeButton } = useFocusHandover()
  // The axis appears once its values are loaded. If the user has moved the focus meanwhile, it stays there.
  const takeAxis = useCallback(
    (shown: HTMLElement | null) => {
      if (shown && document.activeElement !== document.body) toAxis(false)
      take(shown)
    },
    [take, toAxis],
  )
  return { toAxis, takeAxis, toButton, takeButton }
}
