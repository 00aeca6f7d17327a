import { useRouter } from '@tanstack/react-router'
import { useEffect, type RefObject } from 'react'

/** Where the page that one left took the focus along with it, the new page's content gets it: the keyboard does not begin anew at the top. */
export function useKeptFocus(content: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useEffect(() => {
    let last: EventTarget | null = null
    const note = ({ target }: FocusEvent) => {
      last = target
    }
    document.addEventListener('focusin', note)
    const unsubscribe = router.subscribe('onRendered', ({ pathChanged }) => {
      const isLost = last instanceof Element && !last.isConnected && document.activeElement === document.body
      if (pathChanged && isLost) content.current?.focus({ preventScroll: true })
    })
    return () => {
      document.removeEventListener('focusin', note)
      unsubscribe()
    }
  }, [router, content])
}
