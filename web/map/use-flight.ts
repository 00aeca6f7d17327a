import { useEffect, useEffectEvent, type RefObject } from 'react'
import type { Box } from '#contract/place.ts'

const again = 300

/** Flies to a selection that did not come from a touch on the map; asks every 300 ms until it is known where the shape is. */
export function useFlight(
  selected: string | null,
  touched: RefObject<string | null>,
  find: (id: string) => Box | null,
  fly: (box: Box) => void,
): void {
  const attempt = useEffectEvent((id: string): boolean => {
    const box = find(id)
    if (box) fly(box)
    return box !== null
  })
  useEffect(() => {
    const isTouched = selected === touched.current
    touched.current = null
    if (selected === null || isTouched || attempt(selected)) return
    const timer = setInterval(() => attempt(selected) && clearInterval(timer), again)
    return () => clearInterval(timer)
  }, [selected, touched])
}
