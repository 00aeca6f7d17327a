import { useSyncExternalStore } from 'react'

let isPrinting = false
const listeners = new Set<() => void>()
const setPrinting = (isStarting: boolean) => (): void => {
  isPrinting = isStarting
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('beforeprint', handleBeforePrint)
    window.addEventListener('afterprint', handleAfterPrint)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('beforeprint', handleBeforePrint)
    window.removeEventListener('afterprint', handleAfterPrint)
  }
}
const handleBeforePrint = setPrinting(true)
const handleAfterPrint = setPrinting(false)

/** Returns whether the page is being printed. Components re-render before printing, but cannot load anything. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting)
