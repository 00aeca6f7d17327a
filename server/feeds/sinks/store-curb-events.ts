import type { CurbEvent } from '#server/curb/sessions/curb-event.ts'
import type { CurbSessions } from '#server/curb/sessions/curb-sessions.ts'
import type { SinkFeed } from './sink-feed.ts'

/** Stores the events of CDS feeds. Idempotent. Returns their number. */
export const storeCurbEvents =
  (sessions: Pick<CurbSessions, 'storeBatch'>) =>
  async (
    { organizationId, regionId, feedId }: SinkFeed,
    content: unknown,
    received: number,
  ): Promise<number> => {
    const events = content as readonly CurbEvent[]
    await sessions.storeBatch({ organizationId, regionId, feedId, received, events })
    return events.length
  }
