import { useEffect, useState } from 'react'
import { now } from '#web/data/clock.ts'
import { sessionEnd } from '#web/data/signals.ts'
import { lastActive, noteActive } from '#web/shell/last-active.ts'
import { storedKeys } from '#web/shell/stored.ts'
import { isIdle, watchIdle } from './watch-idle.ts'

/** Signs out whoever does nothing for too long, and when another tab signs out. Answers whether that was so at load already: then nothing is to be shown. */
export function useIdleSignOut(): boolean {
  const [wasIdle] = useState(() => isIdle(lastActive(), now()))
  useEffect(
    () =>
      watchIdle({
        now,
        lastActive,
        noteActive,
        page: window,
        storageKey: storedKeys.lastActive,
        onIdle: () => sessionEnd.write({ reason: 'idle' }),
        onElsewhere: () => sessionEnd.write({ reason: 'elsewhere' }),
      }),
    [],
  )
  return wasIdle
}
