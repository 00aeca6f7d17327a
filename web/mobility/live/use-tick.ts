import { useEffect, useState } from 'react'
import { now } from '#web/data/clock.ts'

/** Now, in ms since 1970, anew every so often. */
export function useTick(everyMs: number): number {
  const [at, setAt] = useState(now)
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return at
}
