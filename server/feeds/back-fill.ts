import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import { findSources } from './feed-source.ts'
import { adapterOf, type Feeds } from './feeds.ts'
import { findFeedRow } from './find-feeds.ts'
import { openStatuses } from './pieces/due-pull-windows'
import { pullWindowAt, pullWindowsBetween } from './pieces/pull-window'
import { planPullWindows } from './pieces/plan-pull-windows'
import { enqueuePullWindows } from './pieces/enqueue-pull-windows'

interface Span {
  /** None: all. */
  streams: readonly string[]
  from: string
  until: string
  again: boolean
}

const maxBackfillDays = 1100
const day = 86_400_000

const fault = (field: string, message: string): Problem =>
  new Problem('validation_error', message, [{ path: `body.${field}`, message }])

/** Wants every piece of a span that is over: those not known, those that failed or wait, and with `again` also those that are done. */
export async function backFill(
  feeds: Feeds,
  scope: Scope,
  of: { region_id: string; feed_id: string },
  { streams, from, until, again }: Span,
  at: Date,
): Promise<{ wanted: number }> {
  const row = await findFeedRow(feeds.state, scope, of)
  const [source] = await findSources(feeds, [row.feed_id])
  const adapter = source && adapterOf(feeds.adapters, { kind: source.kind, version: source.asked.version })
  if (!source?.asked.url || !adapter)
    throw new Problem('validation_error', 'This feed is not fetched: there is nothing to back-fill.')
  const [first, last] = [Date.parse(from), Math.min(Date.parse(until), at.getTime())]
  if (first >= last) throw fault('until', 'The span must end after it begins, and begin in the past.')
  if (last - first > maxBackfillDays * day) throw fault('from', `At most ${maxBackfillDays} days at once.`)
  const known = adapter.streams(source.asked)
  const strange = streams.find((name) => !known.some((stream) => stream.name === name))
  if (strange) throw fault('streams', `This feed has no stream '${strange}'.`)
  const chosen = known.filter(
    ({ name, by }) => (streams.length === 0 || streams.includes(name)) && by !== 'now' && by !== 'window',
  )
  if (!chosen.length) throw fault('streams', 'These streams tell of the present only: they have no past.')
  await planPullWindows(feeds.state, adapter, source.asked, at)
  let wanted = 0
  for (const { name, by } of chosen) {
    const zone = source.asked.timezone
    // The piece of the last moment too, if it is over.
    const end = Math.min(at.getTime(), pullWindowAt(by, last - 1, zone)?.until ?? last)
    const windowStarts = [...pullWindowsBetween(by, first, end, zone)].map((piece) => piece.from)
    wanted += await enqueuePullWindows(
      feeds.state,
      source.asked,
      name,
      windowStarts,
      at,
      again ? 'again' : 'open',
    )
  }
  return { wanted }
}

/** Everything that is open has its turn now. */
export async function pullNow(
  { state }: Pick<Feeds, 'state'>,
  scope: Scope,
  of: { region_id: string; feed_id: string },
  at: Date,
): Promise<{ asked: number }> {
  const row = await findFeedRow(state, scope, of)
  if (!row.enabled) throw new Problem('conflict', 'This feed is switched off.')
  const { numUpdatedRows } = await state
    .as(scope)
    .updateTable('feed_piece')
    .set({ next_time: at })
    .where('feed_id', '=', row.feed_id)
    .where('status', 'in', openStatuses)
    .executeTakeFirstOrThrow()
  return { asked: Number(numUpdatedRows) }
}
