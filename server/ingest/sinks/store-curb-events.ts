import type { CurbEvent } from '#server/curb/sessions/curb-event.ts'
import type { CurbSessions } from '#server/curb/sessions/open-curb-sessions.ts'
import type { SunkFeed } from './sunk-feed.ts'

/** Stores the events that CDS feeds bring. Returns how many records it took; the same again changes nothing. */
export const storeCurbEvents =
  (sessions: Pick<CurbSessions, 'take'>) =>
  async (
    { organizationId, regionId, feedId }: SunkFeed,
    other: unknown,
    received: number,
  ): Promise<number> => {
    const events = other as readonly CurbEvent[]
    await sessions.take({ organizationId, regionId, feedId, received, events })
    return events.length
  }
