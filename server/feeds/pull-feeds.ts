import { randomUUID } from 'node:crypto'
import { systemScope } from '#server/identity/scope.ts'
import type { OAuthTokens } from './auth/oauth-tokens.ts'
import { findSources, type FeedSource } from './feed-source.ts'
import { adapterOf, type Feeds } from './feeds.ts'
import {
  requestedPullWindow,
  type DuePullWindow,
  duePullWindows,
  feedsWithDue,
  nextDueTime,
  openStatuses,
} from './pieces/due-pull-windows'
import { planPullWindows } from './pieces/plan-pull-windows'
import { recordOutcome } from './pieces/record-outcome.ts'
import { pullStreamWindow } from './pull-stream-window'
import { pushedKinds } from '#contract/feeds.ts'
import type { State } from '#server/stores/state.ts'

/** Requests at a time: of one feed, over all feeds, and of those over all that failed last. */
export const perFeed = 2
export const atOnce = 4
const ofFailing = 2

/** Whose turn it is: the feed that was served longest ago; feeds that fail never take all places. */
export class PullTurns {
  readonly #running = new Map<string, number>()
  readonly #served = new Map<string, number>()
  readonly #failing = new Set<string>()
  #count = 0

  get running(): number {
    return [...this.#running.values()].reduce((sum, count) => sum + count, 0)
  }

  /** How many more pieces a feed may have under way. */
  #places(feedId: string): number {
    const here = this.#running.get(feedId) ?? 0
    const left = atOnce - this.running
    if (!this.#failing.has(feedId)) return Math.max(0, Math.min(perFeed - here, left))
    const failing = [...this.#running].reduce(
      (sum, [id, count]) => sum + (this.#failing.has(id) ? count : 0),
      0,
    )
    return Math.max(0, Math.min(1 - here, left, ofFailing - failing))
  }

  /** The next feed of those that have something due; null where none may go on. */
  next(due: readonly string[]): string | null {
    const free = due.filter((feedId) => this.#places(feedId) > 0)
    return free.toSorted((a, b) => (this.#served.get(a) ?? 0) - (this.#served.get(b) ?? 0))[0] ?? null
  }

  begin(feedId: string): void {
    this.#running.set(feedId, (this.#running.get(feedId) ?? 0) + 1)
    this.#served.set(feedId, ++this.#count)
  }

  end(feedId: string, how: 'good' | 'failed' | 'stopped'): void {
    const left = (this.#running.get(feedId) ?? 1) - 1
    if (left > 0) this.#running.set(feedId, left)
    else this.#running.delete(feedId)
    if (how === 'good') this.#failing.delete(feedId)
    if (how === 'failed') this.#failing.add(feedId)
  }
}

/** A lease that is not renewed for this long is free: its process is gone. */
export const leaseMs = 180_000

/** Takes and renews the feeds that this process may pull: those that are on, are fetched, and are nobody else's. Answers their ids. */
async function leaseFeeds(state: Pick<State, 'as'>, owner: string, at: Date): Promise<string[]> {
  const rows = await state
    .as(systemScope)
    .updateTable('feed')
    .set({ lease_owner: owner, lease_until: new Date(at.getTime() + leaseMs) })
    .where('enabled', '=', true)
    .where('url', 'is not', null)
    .where('kind', 'not in', pushedKinds)
    .where((is) =>
      is.or([is('lease_owner', 'is', null), is('lease_owner', '=', owner), is('lease_until', '<', at)]),
    )
    .returning('feed_id')
    .execute()
  return rows.map((row) => row.feed_id)
}

/** Gives the leases of this process back, or those of every process where this one owns the store alone. */
async function freeFeeds(state: Pick<State, 'as'>, owner: string | null): Promise<void> {
  const free = state.as(systemScope).updateTable('feed').set({ lease_owner: null, lease_until: null })
  await (
    owner === null ? free.where('lease_owner', 'is not', null) : free.where('lease_owner', '=', owner)
  ).execute()
}

/** Pulls all feeds that are due. */
export interface Puller {
  /** Whether a pull window may be due, or leases must be renewed. Looks at memory only. */
  isDue(): boolean
  /** Starts as many due pulls as there are places. */
  pull(): Promise<void>
  /** Ends what is under way; it is asked for again at the next start. */
  stop(): Promise<void>
  /** Something may be due before its time. */
  wake(): void
  /** Once nothing is due and nothing is under way: for tests. */
  idle(): Promise<void>
}

/** Leases are renewed and new pull windows are planned this often; ms. */
const planMs = 60_000

const keyOf = (feedId: string, { stream, windowStart: piece }: DuePullWindow): string =>
  `${feedId} ${stream} ${piece}`

export function openPuller(
  feeds: Feeds,
  tokens: OAuthTokens,
  { alone = false }: { alone?: boolean } = {},
): Puller {
  const { state, adapters, now, log } = feeds
  const owner = randomUUID()
  const stopping = new AbortController()
  const turns = new PullTurns()
  const running = new Map<string, Promise<void>>()
  /** Feeds that their servers asked us to leave alone, until when. */
  const paused = new Map<string, number>()
  let leased: string[] = []
  let planned = Number.NEGATIVE_INFINITY
  let first = true
  let turn: Promise<void> | null = null
  let wanted = false
  /** When the next pull window is due, ms. */
  let dueAt = Infinity
  /** A place became free while places were given away. */
  let again = false

  async function plan(at: Date): Promise<void> {
    if (first && alone) await freeFeeds(state, null)
    first = false
    leased = await leaseFeeds(state, owner, at)
    for (const { asked, kind } of await findSources(feeds, leased)) {
      const adapter = adapterOf(adapters, { kind, version: asked.version })
      // One feed that cannot be planned holds up no other.
      if (adapter)
        await planPullWindows(state, adapter, asked, at).catch((error: unknown) =>
          log('feed plan', { feedId: asked.feedId, error: String(error) }),
        )
    }
    planned = at.getTime()
  }

  async function pull(source: FeedSource, due: DuePullWindow): Promise<'good' | 'failed' | 'stopped'> {
    const { asked, kind } = source
    const adapter = adapterOf(adapters, { kind, version: asked.version })
    const stream = adapter?.streams(asked).find(({ name }) => name === due.stream)
    const at = now()
    // Of a version before: nobody can ask for it any more.
    if (!adapter || !stream) {
      await state
        .as(systemScope)
        .deleteFrom('feed_piece')
        .where('feed_id', '=', asked.feedId)
        .where('stream', '=', due.stream)
        .where('status', 'in', openStatuses)
        .execute()
      return 'good'
    }
    const pullWindow = requestedPullWindow(stream, due, asked, at.getTime())
    const outcome = await pullStreamWindow(
      { feeds, tokens, adapter, source, stream, pullWindow },
      stopping.signal,
    )
    if (!outcome) return 'stopped'
    if (outcome.status === 'failed' && outcome.retryAfter)
      paused.set(asked.feedId, now().getTime() + outcome.retryAfter)
    await recordOutcome(
      state,
      {
        feedId: asked.feedId,
        stream,
        due,
        until: pullWindow.until,
        everySeconds: stream.every ?? source.intervalSeconds,
        at: now(),
      },
      outcome,
    )
    return outcome.status === 'failed' ? 'failed' : 'good'
  }

  function begin(source: FeedSource, due: DuePullWindow): void {
    const { feedId } = source.asked
    const key = keyOf(feedId, due)
    turns.begin(feedId)
    const work = pull(source, due)
      .catch((error: unknown): 'failed' => {
        log('feed pull failed', {
          feedId,
          stream: due.stream,
          error: error instanceof Error ? error.message : String(error),
        })
        return 'failed'
      })
      .then((how) => {
        running.delete(key)
        turns.end(feedId, how)
        if (how !== 'stopped') takeTurn()
      })
    running.set(key, work)
  }

  /** Begins as many pieces as there are places. */
  async function fill(at: Date): Promise<void> {
    const free = leased.filter((feedId) => (paused.get(feedId) ?? 0) <= at.getTime())
    const due = new Set(await feedsWithDue(state, free, at))
    for (
      let feedId = turns.next([...due]);
      feedId && !stopping.signal.aborted;
      feedId = turns.next([...due])
    ) {
      const id = feedId
      const [source] = await findSources(feeds, [id])
      const next = (await duePullWindows(state, id, at, perFeed + 1)).find(
        (each) => !running.has(keyOf(id, each)),
      )
      if (source && next) begin(source, next)
      else due.delete(id)
    }
  }

  async function tick(): Promise<void> {
    const at = now()
    const isPlanned = !wanted && at.getTime() - planned < planMs
    wanted = false
    // Until this turn has found out otherwise, also where it fails.
    dueAt = at.getTime() + planMs
    if (!isPlanned) await plan(at)
    await fill(at)
    // Feeds without a free place get one as soon as a pull ends, which takes the next turn.
    dueAt = Math.min(
      (await nextDueTime(state, leased, at)) ?? Infinity,
      ...[...paused.values()].filter((until) => until > at.getTime()),
    )
  }

  async function pullDue(): Promise<void> {
    again = turn !== null
    if (stopping.signal.aborted) return
    turn ??= tick().finally(() => {
      turn = null
      if (again) takeTurn()
    })
    await turn
  }

  const takeTurn = (): void =>
    void pullDue().catch((error: unknown) =>
      log('feeds', { error: error instanceof Error ? error.message : String(error) }),
    )

  return {
    isDue() {
      const at = now().getTime()
      return wanted || at >= dueAt || at - planned >= planMs || at < planned
    },
    pull: pullDue,
    wake() {
      wanted = true
      paused.clear()
    },
    async idle() {
      do {
        wanted = true
        await pullDue()
        await Promise.all(running.values())
        await turn
      } while (
        running.size > 0 ||
        (await feedsWithDue(state, leased, now())).some(
          (feedId) => (paused.get(feedId) ?? 0) <= now().getTime(),
        )
      )
    },
    async stop() {
      stopping.abort()
      await turn?.catch(() => undefined)
      await Promise.all(running.values())
      await freeFeeds(state, owner)
    },
  }
}
