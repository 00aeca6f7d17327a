import { type FeedFacts, getFeedVerdict } from '#contract/feed-verdict.ts'
import { type FeedKind, pushedKinds } from '#contract/feeds.ts'
import type { FeedStatus, FeedState } from '#contract/health.ts'
import { dayMs } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import type { HealthRegion } from './health-region.ts'
import { newestReceivedSql, type NewestRow } from './queries/received.ts'

/** How far back batches are searched for the newest record of a feed. */
const lookBackMs = 14 * dayMs

const formatMinutes = (minutes: number): string =>
  minutes < 120
    ? `${Math.floor(minutes)} min`
    : `${Math.floor(minutes / 60)} h ${Math.floor(minutes % 60)} min`

/** Returns the state of a feed at a time (ms), ignoring incidents, and the reason for it. */
export function describeState(
  facts: Omit<FeedFacts, 'openIncidents'>,
  at: number,
): { state: FeedState; reason: string } {
  const { state } = getFeedVerdict({ ...facts, openIncidents: 0 }, at)
  if (state === 'paused') return { state, reason: 'The feed is switched off.' }
  if (state === 'failing') return { state, reason: facts.problem ?? '' }
  if (state === 'never' || facts.newest === null)
    return { state: 'never', reason: 'Nothing has been received from this feed yet.' }
  const minutes = Math.max(0, (at - facts.newest) / 60_000)
  return {
    state: state === 'late' ? 'late' : 'ok',
    reason: `The newest record is ${formatMinutes(minutes)} old; the limit is ${formatMinutes(facts.limitMinutes)}.`,
  }
}

const findLatestTime = (...times: (number | null)[]): number | null =>
  times.reduce((newest, time) => (time !== null && (newest === null || time > newest) ? time : newest), null)
const toIso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** Finds the status of every feed of a region at a time (ms), sorted by operator and name. */
export async function findFeedStatuses(
  state: State,
  facts: Facts,
  { regionId, scope }: Pick<HealthRegion, 'regionId' | 'scope'>,
  at: number,
): Promise<FeedStatus[]> {
  const store = state.as(scope)
  const [feeds, received, incidents] = await Promise.all([
    store
      .selectFrom('feed')
      .selectAll()
      .where('region_id', '=', regionId)
      .orderBy('operator')
      .orderBy('name')
      .orderBy('feed_id')
      .execute(),
    facts.rows<NewestRow>(scope, newestReceivedSql(regionId, at - lookBackMs)),
    store
      .selectFrom('incident')
      .select(({ fn }) => ['operator', 'feed_id', fn.countAll<string>().as('count')])
      .where('region_id', '=', regionId)
      .where('closed_time', 'is', null)
      .groupBy(['operator', 'feed_id'])
      .execute(),
  ])
  return feeds.map((feed) => {
    const newestBatch = received.find((row) => row.feed_id === feed.feed_id)
    const newest = findLatestTime(
      feed.last_record_time?.getTime() ?? null,
      newestBatch ? Number(newestBatch.newest) : null,
    )
    const isPushed = pushedKinds.includes(feed.kind as FeedKind)
    const lastSuccess = findLatestTime(
      feed.last_success_time?.getTime() ?? null,
      isPushed && newestBatch ? Number(newestBatch.received) : null,
    )
    return {
      operator: feed.operator,
      feed_id: feed.feed_id,
      name: feed.name,
      kind: feed.kind as FeedKind,
      version: feed.version,
      ...describeState(
        {
          enabled: feed.enabled,
          problem: feed.problem,
          problemSince: feed.problem_since?.getTime() ?? null,
          newest,
          limitMinutes: feed.promised_minutes,
        },
        at,
      ),
      last_success: toIso(lastSuccess),
      newest_record: toIso(newest),
      freshness_minutes: newest === null ? null : Math.max(0, (at - newest) / 60_000),
      promised_minutes: feed.promised_minutes,
      problem: feed.problem,
      problem_since: feed.problem_since?.toISOString() ?? null,
      open_incidents: incidents
        .filter((row) =>
          row.feed_id === null ? row.operator === feed.operator : row.feed_id === feed.feed_id,
        )
        .reduce((sum, { count }) => sum + Number(count), 0),
    }
  })
}
