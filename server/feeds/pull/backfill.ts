import { dayMs } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import { findSources } from '../feed-source.ts'
import { findAdapter } from '../adapters/list.ts'
import type { FeedServices } from '../feed-services.ts'
import { findFeedRow } from '../find-feeds.ts'
import { openStatuses } from './windows/due-pull-windows.ts'
import { pullWindowAt, pullWindowsBetween } from './windows/pull-window.ts'
import { planPullWindows } from './windows/plan-pull-windows.ts'
import { enqueuePullWindows } from './windows/enqueue-pull-windows.ts'

interface BackfillRequest {
  /** Empty for all streams. */
  streams: readonly string[]
  /** ISO times. */
  from: string
  until: string
  /** Whether windows that are done are pulled again. */
  again: boolean
}

const maxBackfillDays = 1100

const invalidField = (field: string, message: string): Problem =>
  new Problem('validation_error', message, [{ path: `body.${field}`, message }])

/**
 * Enqueues the past pull windows of a period that are not done; with `again` also those that are done.
 * Returns the number of windows that were added or made due.
 */
export async function backFillFeed(
  feeds: FeedServices,
  scope: Scope,
  {
    params,
    body: { streams, from, until, again },
    at,
  }: { params: { region_id: string; feed_id: string }; body: BackfillRequest; at: Date },
): Promise<{ wanted: number }> {
  const row = await findFeedRow(feeds.state.as(scope), params)
  const [source] = await findSources(feeds, [row.feed_id])
  const adapter = source && findAdapter(feeds.adapters, { kind: source.kind, version: source.feed.version })
  if (!source?.feed.url || !adapter)
    throw new Problem('validation_error', 'This feed is not pulled: there is nothing to backfill.')
  const fromMs = Date.parse(from)
  const untilMs = Math.min(Date.parse(until), at.getTime())
  if (fromMs >= untilMs)
    throw invalidField('until', 'The period must end after it begins, and begin in the past.')
  if (untilMs - fromMs > maxBackfillDays * dayMs)
    throw invalidField('from', `At most ${maxBackfillDays} days at once.`)
  const feedStreams = adapter.streams(source.feed)
  const unknownStream = streams.find((name) => !feedStreams.some((stream) => stream.name === name))
  if (unknownStream) throw invalidField('streams', `This feed has no stream '${unknownStream}'.`)
  const pastStreams = feedStreams.filter(
    ({ name, window }) =>
      (streams.length === 0 || streams.includes(name)) && window !== 'now' && window !== 'recent',
  )
  if (!pastStreams.length)
    throw invalidField('streams', 'These streams contain current data only: they have no past.')
  await planPullWindows(feeds.state, adapter, source.feed, at)
  let wanted = 0
  for (const { name, window } of pastStreams) {
    const zone = source.feed.timezone
    // Includes the window that contains the end of the period, if it has ended.
    const end = Math.min(at.getTime(), pullWindowAt(window, untilMs - 1, zone)?.until ?? untilMs)
    const windowStarts = [...pullWindowsBetween(window, fromMs, end, zone)].map((span) => span.from)
    wanted += await enqueuePullWindows(feeds.state, source.feed, {
      stream: name,
      windowStarts,
      mode: again ? 'again' : 'open',
      at,
    })
  }
  return { wanted }
}

/** Makes all open pull windows of a feed due now. Returns their number. */
export async function pullFeed(
  { state }: Pick<FeedServices, 'state'>,
  scope: Scope,
  ids: { region_id: string; feed_id: string },
  at: Date,
): Promise<{ requested: number }> {
  const row = await findFeedRow(state.as(scope), ids)
  if (!row.enabled) throw new Problem('conflict', 'This feed is switched off.')
  const { numUpdatedRows } = await state
    .as(scope)
    .updateTable('pull_window')
    .set({ next_time: at })
    .where('feed_id', '=', row.feed_id)
    .where('status', 'in', openStatuses)
    .executeTakeFirstOrThrow()
  return { requested: Number(numUpdatedRows) }
}
