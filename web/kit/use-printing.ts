import { useSyncExternalStore } from 'react'

let isPrinting = false
const listeners = new Set<() => void>()
const change = (next: boolean) => (): void => {
  isPrinting = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('beforeprint', begin)
    window.removeEventListener('afterprint', end)
  }
}
const begin = change(true)
const end = change(false)

/** Whether the page is being printed. It is rendered again before the print, but nothing is loaded for it. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting)
