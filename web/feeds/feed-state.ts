import { type Feed, pushedKinds } from '#contract/feeds.ts'

/** How a feed does, for its mark. `late`: it works, but later than was promised. */
export type FeedState = 'off' | 'failing' | 'late' | 'working' | 'waiting'

const minute = 60_000

/** How a feed does now; `now` in ms. */
export function feedStateOf(
  { enabled, problem, lastSuccessTime, lastRecordTime, promisedMinutes, kind }: Feed,
  now: number,
): FeedState {
  if (!enabled) return 'off'
  if (problem) return 'failing'
  const heard = pushedKinds.includes(kind) ? lastRecordTime : lastSuccessTime
  if (!heard) return 'waiting'
  return now - Date.parse(heard) > promisedMinutes * minute ? 'late' : 'working'
}
