import { randomUUID } from 'node:crypto'
import { systemScope } from '#server/identity/scope.ts'
import type { OAuthTokens } from '../auth/oauth-tokens.ts'
import { findSources, type FeedSource } from '../feed-source.ts'
import { adapterOf, type Feeds } from '../feeds.ts'
import {
  requestedPullWindow,
  type DuePullWindow,
  duePullWindows,
  feedsWithDue,
  nextDueTime,
  openStatuses,
} from './windows/due-pull-windows.ts'
import { planPullWindows } from './windows/plan-pull-windows.ts'
import { recordOutcome } from './windows/record-outcome.ts'
import { pullStreamWindow } from './pull-stream-window.ts'
import { pushedKinds } from '#contract/feeds.ts'
import type { State } from '#server/stores/state.ts'

/** Concurrent pulls: per feed, in total, and of feeds that failed last. */
export const maxPullsPerFeed = 2
export const maxPulls = 4
const maxFailingPulls = 2

/** Chooses the next feed: the one served longest ago; failing feeds never take all slots. */
export class PullTurns {
  readonly #running = new Map<string, number>()
  readonly #served = new Map<string, number>()
  readonly #failing = new Set<string>()
  #count = 0

  get running(): number {
    return [...this.#running.values()].reduce((sum, count) => sum + count, 0)
  }

  /** How many more pulls of a feed may start. */
  #places(feedId: string): number {
    const here = this.#running.get(feedId) ?? 0
    const left = maxPulls - this.running
    if (!this.#failing.has(feedId)) return Math.max(0, Math.min(maxPullsPerFeed - here, left))
    const failing = [...this.#running].reduce(
      (sum, [id, count]) => sum + (this.#failing.has(id) ? count : 0),
      0,
    )
    return Math.max(0, Math.min(1 - here, left, maxFailingPulls - failing))
  }

  /** The next of some due feeds; null if none may start. */
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

/** A lease that is not renewed for this long is free: its process has stopped. */
export const leaseMs = 180_000

/** Acquires and renews leases of feeds: those that are enabled, are pulled, and are not leased by another process. Returns their ids. */
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

/** Releases the leases of this process, or of every process if this one owns the store alone. */
async function freeFeeds(state: Pick<State, 'as'>, owner: string | null): Promise<void> {
  const free = state.as(systemScope).updateTable('feed').set({ lease_owner: null, lease_until: null })
  await (
    owner === null ? free.where('lease_owner', 'is not', null) : free.where('lease_owner', '=', owner)
  ).execute()
}

/** Pulls all feeds that are due. */
export interface Puller {
  /** Whether a pull window may be due or leases must be renewed; from memory only. */
  isDue(): boolean
  /** Starts due pulls while there are free slots. */
  pull(): Promise<void>
  /** Aborts running pulls; they are repeated after the next start. */
  stop(): Promise<void>
  /** Something may be due earlier than planned. */
  wake(): void
  /** Resolves once nothing is due or running: for tests. */
  idle(): Promise<void>
}

/** Leases are renewed and new pull windows are planned this often; ms. */
const planMs = 60_000

const keyOf = (feedId: string, { stream, windowStart }: DuePullWindow): string =>
  `${feedId} ${stream} ${windowStart}`

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
  /** Feeds with a server that requested a pause (Retry-After), and until when. */
  const paused = new Map<string, number>()
  let leased: string[] = []
  let planned = Number.NEGATIVE_INFINITY
  let first = true
  let turn: Promise<void> | null = null
  let isWoken = false
  /** When the next pull window is due, ms. */
  let dueAt = Infinity
  /** A slot became free while slots were assigned. */
  let again = false

  async function plan(at: Date): Promise<void> {
    if (first && alone) await freeFeeds(state, null)
    first = false
    leased = await leaseFeeds(state, owner, at)
    for (const { feed, kind } of await findSources(feeds, leased)) {
      const adapter = adapterOf(adapters, { kind, version: feed.version })
      // A feed that cannot be planned must not stop the others.
      if (adapter)
        await planPullWindows(state, adapter, feed, at).catch((error: unknown) =>
          log('feed plan', { feedId: feed.feedId, error: String(error) }),
        )
    }
    planned = at.getTime()
  }

  async function pull(source: FeedSource, due: DuePullWindow): Promise<'good' | 'failed' | 'stopped'> {
    const { feed, kind } = source
    const adapter = adapterOf(adapters, { kind, version: feed.version })
    const stream = adapter?.streams(feed).find(({ name }) => name === due.stream)
    const at = now()
    // From an earlier version: nothing can request it anymore.
    if (!adapter || !stream) {
      await state
        .as(systemScope)
        .deleteFrom('pull_window')
        .where('feed_id', '=', feed.feedId)
        .where('stream', '=', due.stream)
        .where('status', 'in', openStatuses)
        .execute()
      return 'good'
    }
    const pullWindow = requestedPullWindow(stream, due, feed, at.getTime())
    const outcome = await pullStreamWindow(
      { feeds, tokens, adapter, source, stream, pullWindow },
      stopping.signal,
    )
    if (!outcome) return 'stopped'
    if (outcome.status === 'failed' && outcome.retryAfter)
      paused.set(feed.feedId, now().getTime() + outcome.retryAfter)
    await recordOutcome(
      state,
      {
        feedId: feed.feedId,
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
    const { feedId } = source.feed
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

  /** Starts due pulls while there are free slots. */
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
      const next = (await duePullWindows(state, id, at, maxPullsPerFeed + 1)).find(
        (each) => !running.has(keyOf(id, each)),
      )
      if (source && next) begin(source, next)
      else due.delete(id)
    }
  }

  async function tick(): Promise<void> {
    const at = now()
    const isPlanned = !isWoken && at.getTime() - planned < planMs
    isWoken = false
    // Until this run computes it, also if it fails.
    dueAt = at.getTime() + planMs
    if (!isPlanned) await plan(at)
    await fill(at)
    // A feed without a free slot gets one as soon as a pull ends, which starts the next run.
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
      return isWoken || at >= dueAt || at - planned >= planMs || at < planned
    },
    pull: pullDue,
    wake() {
      isWoken = true
      paused.clear()
    },
    async idle() {
      do {
        isWoken = true
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
