import { useCallback } from 'react'
import { useFocusHandover } from '#web/kit/focus.ts'

export interface AxisFocus {
  /** Called when the axis opens or is replaced: the next axis gets the focus. */
  passFocusToAxis: () => void
  axisRef: (element: HTMLElement | null) => void
  /** Called when the axis closes: the button that opens it gets the focus. */
  passFocusToButton: () => void
  buttonRef: (element: HTMLElement | null) => void
}

/** Moves the focus between the axis and the button that opens it: one disappears when the other appears. */
export function useAxisFocus(): AxisFocus {
  const { passFocus: passFocusToAxis, receiverRef } = useFocusHandover()
  const { passFocus: passFocusToButton, receiverRef: buttonRef } = useFocusHandover()
  // The axis appears once its values are loaded. If the user has moved the focus meanwhile, it stays there.
  const axisRef = useCallback(
    (axis: HTMLElement | null) => {
      if (axis && document.activeElement !== document.body) passFocusToAxis(false)
      receiverRef(axis)
    },
    [receiverRef, passFocusToAxis],
  )
  return { passFocusToAxis, axisRef, passFocusToButton, buttonRef }
}
