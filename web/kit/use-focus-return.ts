import { useEffect, useState } from 'react'

/** Restores the previous focus on unmount, unless another element has been focused. */
export function useFocusReturn(): void {
  const [previous] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      const isFree = document.activeElement === null || document.activeElement === document.body
      if (isFree && previous instanceof HTMLElement && previous.isConnected) previous.focus()
    },
    [previous],
  )
}
