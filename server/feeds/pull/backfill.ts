import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import { findSources } from '../feed-source.ts'
import { adapterOf, type Feeds } from '../feeds.ts'
import { findFeedRow } from '../find-feeds.ts'
import { openStatuses } from './windows/due-pull-windows.ts'
import { pullWindowAt, pullWindowsBetween } from './windows/pull-window.ts'
import { planPullWindows } from './windows/plan-pull-windows.ts'
import { enqueuePullWindows } from './windows/enqueue-pull-windows.ts'

interface Span {
  /** Null for all. */
  streams: readonly string[]
  from: string
  until: string
  again: boolean
}

const maxBackfillDays = 1100
const day = 86_400_000

const fault = (field: string, message: string): Problem =>
  new Problem('validation_error', message, [{ path: `body.${field}`, message }])

/** Enqueues every past pull window of a span that is unknown, failed or waiting; with `again` also those that are done. */
export async function backfill(
  feeds: Feeds,
  scope: Scope,
  ids: { region_id: string; feed_id: string },
  { streams, from, until, again }: Span,
  at: Date,
): Promise<{ wanted: number }> {
  const row = await findFeedRow(feeds.state.as(scope), ids)
  const [source] = await findSources(feeds, [row.feed_id])
  const adapter = source && adapterOf(feeds.adapters, { kind: source.kind, version: source.feed.version })
  if (!source?.feed.url || !adapter)
    throw new Problem('validation_error', 'This feed is not pulled: there is nothing to backfill.')
  const [first, last] = [Date.parse(from), Math.min(Date.parse(until), at.getTime())]
  if (first >= last) throw fault('until', 'The period must end after it begins, and begin in the past.')
  if (last - first > maxBackfillDays * day) throw fault('from', `At most ${maxBackfillDays} days at once.`)
  const known = adapter.streams(source.feed)
  const strange = streams.find((name) => !known.some((stream) => stream.name === name))
  if (strange) throw fault('streams', `This feed has no stream '${strange}'.`)
  const chosen = known.filter(
    ({ name, by }) => (streams.length === 0 || streams.includes(name)) && by !== 'now' && by !== 'window',
  )
  if (!chosen.length) throw fault('streams', 'These streams contain current data only: they have no past.')
  await planPullWindows(feeds.state, adapter, source.feed, at)
  let wanted = 0
  for (const { name, by } of chosen) {
    const zone = source.feed.timezone
    // Includes the window of the last moment, if it is over.
    const end = Math.min(at.getTime(), pullWindowAt(by, last - 1, zone)?.until ?? last)
    const windowStarts = [...pullWindowsBetween(by, first, end, zone)].map((window) => window.from)
    wanted += await enqueuePullWindows(
      feeds.state,
      source.feed,
      name,
      windowStarts,
      at,
      again ? 'again' : 'open',
    )
  }
  return { wanted }
}

/** Makes everything that is open due now. */
export async function pullNow(
  { state }: Pick<Feeds, 'state'>,
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
