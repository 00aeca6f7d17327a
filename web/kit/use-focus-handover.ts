import { useCallback, useRef } from 'react'

/**
 * Moves the focus between two controls that replace each other. Call `handOver` before the switch; `take` is
 * the ref of the new control.
 */
export function useFocusHandover() {
  const isPending = useRef(false)
  const handOver = useCallback((shouldFocus = true) => {
    isPending.current = shouldFocus
  }, [])
  const take = useCallback((element: HTMLElement | null) => {
    if (!element) return
    if (isPending.current) element.focus()
    isPending.current = false
  }, [])
  return { handOver, take }
}
