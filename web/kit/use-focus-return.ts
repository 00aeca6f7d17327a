import { useEffect, useState } from 'react'

/** What had the focus when this was first shown has it again once it is gone, unless something else took it meanwhile. */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      const isFree = document.activeElement === null || document.activeElement === document.body
      if (isFree && before instanceof HTMLElement && before.isConnected) before.focus()
    },
    [before],
  )
}
