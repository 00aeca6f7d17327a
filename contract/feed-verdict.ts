import { minuteMs } from './period.ts'

/** State of a feed. `incident`: on time, with open incidents. */
export type FeedVerdictState = 'ok' | 'incident' | 'late' | 'failing' | 'paused' | 'never'

/** What the verdict on a feed depends on. Times are ms since 1970. */
export interface FeedFacts {
  enabled: boolean
  /** What is wrong, as reported by the last pull. */
  problem: string | null
  problemSince: number | null
  /** Time of the newest record. */
  newest: number | null
  /** Maximum age of the newest record; beyond it the feed is late. */
  limitMinutes: number
  openIncidents: number
}

export interface FeedVerdict {
  state: FeedVerdictState
  /** Since when the feed is late or fails. */
  since: number | null
}

/** Returns the verdict on a feed, which every screen shows: the worst of its current problems. */
export function getFeedVerdict(
  { enabled, problem, problemSince, newest, limitMinutes, openIncidents }: FeedFacts,
  atMs: number,
): FeedVerdict {
  if (!enabled) return { state: 'paused', since: null }
  if (problem !== null) return { state: 'failing', since: problemSince }
  if (newest === null) return { state: 'never', since: null }
  const lateSince = newest + limitMinutes * minuteMs
  if (atMs > lateSince) return { state: 'late', since: lateSince }
  return { state: openIncidents > 0 ? 'incident' : 'ok', since: null }
}
