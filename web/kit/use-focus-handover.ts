import { useCallback, useRef } from 'react'

/** For controls of which each takes the other's place: the focus of the one that goes is given to the one that comes, which has `take` as its ref. */
export function useFocusHandover() {
  const isDue = useRef(false)
  const handOver = useCallback((due = true) => {
    isDue.current = due
  }, [])
  const take = useCallback((shown: HTMLElement | null) => {
    if (!shown) return
    if (isDue.current) shown.focus()
    isDue.current = false
  }, [])
  return { handOver, take }
}
