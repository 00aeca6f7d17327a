import { useEffect, useState } from 'react'

export type Waiting = 'short' | 'processing' | 'long'

const processingAfter = 2000
const longAfter = 10_000

/** How long one has waited, in steps that deserve a word. */
export function useWaiting(isWaiting: boolean): Waiting {
  const [waiting, setWaiting] = useState<Waiting>('short')
  useEffect(() => {
    if (!isWaiting) return
    const timers = [
      setTimeout(() => setWaiting('processing'), processingAfter),
      setTimeout(() => setWaiting('long'), longAfter),
    ]
    return () => {
      for (const timer of timers) clearTimeout(timer)
      setWaiting('short')
    }
  }, [isWaiting])
  return waiting
}
