import { randomUUID } from 'node:crypto'
import { systemScope } from '#server/identity/scope.ts'
import { findAdapter } from '../adapters/list.ts'
import type { OAuthTokens } from '../auth/oauth-tokens.ts'
import type { FeedServices } from '../feed-services.ts'
import { findSources, type FeedSource } from '../feed-source.ts'
import { leaseFeeds, releaseFeeds } from './feed-leases.ts'
import { maxPullsPerFeed, type PullEnd, PullSlots } from './pull-slots.ts'
import { pullStreamWindow } from './pull-stream-window.ts'
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

/** Pulls all feeds that are due. */
export interface Puller {
  /** Whether a pull window may be due or leases must be renewed. Uses memory only. */
  isDue(): boolean
  /** Starts due pulls while there are free slots. Resolves when they are started. */
  pull(): Promise<void>
  /** Aborts running pulls, which are repeated after the next start. */
  stop(): Promise<void>
  /** Makes the next `isDue` true, because something may be due earlier than planned. */
  wake(): void
  /** Resolves when nothing is due or running. For tests. */
  idle(): Promise<void>
}

/** The interval at which leases are renewed and new pull windows are planned. */
const planIntervalMs = 60_000

const pullKey = (feedId: string, { stream, windowStart }: DuePullWindow): string =>
  `${feedId} ${stream} ${windowStart}`

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** `alone`: no other process uses the state store, so leases of other processes are stale. */
export function openPuller(
  feeds: FeedServices,
  tokens: OAuthTokens,
  { alone = false }: { alone?: boolean } = {},
): Puller {
  const { state, adapters, now, log } = feeds
  const owner = randomUUID()
  const stopping = new AbortController()
  const slots = new PullSlots()
  /** The pulls in progress, by `pullKey`. */
  const runningPulls = new Map<string, Promise<void>>()
  /** The end (ms) of pauses that servers requested with Retry-After, by feed. */
  const pausedUntil = new Map<string, number>()
  let leasedFeedIds: string[] = []
  let lastPlanned = Number.NEGATIVE_INFINITY
  let isFirstPlan = true
  let isWoken = false
  /** When the next pull window is due, ms. */
  let nextDue = Infinity
  /** The round of starting pulls in progress; null if there is none. */
  let currentRound: Promise<void> | null = null
  /** A round was requested during the current one, for example because a pull has ended. */
  let mustRepeatRound = false

  /** Renews leases and enqueues the new pull windows of the leased feeds. */
  async function plan(at: Date): Promise<void> {
    if (isFirstPlan && alone) await releaseFeeds(state, null)
    isFirstPlan = false
    leasedFeedIds = await leaseFeeds(state, owner, at)
    for (const { feed, kind } of await findSources(feeds, leasedFeedIds)) {
      const adapter = findAdapter(adapters, { kind, version: feed.version })
      // A feed that cannot be planned must not prevent the others from being planned.
      if (adapter)
        await planPullWindows(state, adapter, feed, at).catch((error: unknown) =>
          log('feed plan', { feedId: feed.feedId, error: String(error) }),
        )
    }
    lastPlanned = at.getTime()
  }

  /** Pulls one window of a stream and records the outcome. */
  async function pullWindow(source: FeedSource, due: DuePullWindow): Promise<PullEnd> {
    const { feed, kind } = source
    const adapter = findAdapter(adapters, { kind, version: feed.version })
    const stream = adapter?.streams(feed).find(({ name }) => name === due.stream)
    const at = now()
    // The stream belongs to an earlier version or earlier settings of the feed and can no longer be
    // requested.
    if (!adapter || !stream) {
      await state
        .as(systemScope)
        .deleteFrom('pull_window')
        .where('feed_id', '=', feed.feedId)
        .where('stream', '=', due.stream)
        .where('status', 'in', openStatuses)
        .execute()
      return 'succeeded'
    }
    const range = requestedPullWindow(stream, due, feed, at.getTime())
    const outcome = await pullStreamWindow(
      { feeds, tokens, adapter, source, stream, pullWindow: range },
      stopping.signal,
    )
    if (!outcome) return 'aborted'
    if (outcome.status === 'failed' && outcome.retryAfter)
      pausedUntil.set(feed.feedId, now().getTime() + outcome.retryAfter)
    await recordOutcome(
      state,
      {
        feedId: feed.feedId,
        stream,
        due,
        until: range.until,
        everySeconds: stream.every ?? source.intervalSeconds,
        at: now(),
      },
      outcome,
    )
    return outcome.status === 'failed' ? 'failed' : 'succeeded'
  }

  /** Starts a pull. When it ends, its slot is free and the next round begins. */
  function startPull(source: FeedSource, due: DuePullWindow): void {
    const { feedId } = source.feed
    const key = pullKey(feedId, due)
    slots.begin(feedId)
    const work = pullWindow(source, due)
      .catch((error: unknown): PullEnd => {
        log('feed pull failed', { feedId, stream: due.stream, error: messageOf(error) })
        return 'failed'
      })
      .then((result) => {
        runningPulls.delete(key)
        slots.end(feedId, result)
        if (result !== 'aborted') startRound()
      })
    runningPulls.set(key, work)
  }

  /** Starts due pulls while there are free slots. */
  async function fillSlots(at: Date): Promise<void> {
    const unpaused = leasedFeedIds.filter((feedId) => (pausedUntil.get(feedId) ?? 0) <= at.getTime())
    const due = new Set(await feedsWithDue(state, unpaused, at))
    for (let next = slots.next([...due]); next && !stopping.signal.aborted; next = slots.next([...due])) {
      const feedId = next
      const [source] = await findSources(feeds, [feedId])
      const dueWindow = (await duePullWindows(state, feedId, at, maxPullsPerFeed + 1)).find(
        (each) => !runningPulls.has(pullKey(feedId, each)),
      )
      if (source && dueWindow) startPull(source, dueWindow)
      else due.delete(feedId)
    }
  }

  async function runRound(): Promise<void> {
    const at = now()
    const isPlanned = !isWoken && at.getTime() - lastPlanned < planIntervalMs
    isWoken = false
    // If this round fails, the next one is due after the usual interval.
    nextDue = at.getTime() + planIntervalMs
    if (!isPlanned) await plan(at)
    await fillSlots(at)
    // Only future windows count: a feed whose due windows found no free slot is served when a pull ends.
    nextDue = Math.min(
      (await nextDueTime(state, leasedFeedIds, at)) ?? Infinity,
      ...[...pausedUntil.values()].filter((until) => until > at.getTime()),
    )
  }

  /** Runs a round, or requests another one after the current round and waits for the current one. */
  async function pullDue(): Promise<void> {
    mustRepeatRound = currentRound !== null
    if (stopping.signal.aborted) return
    currentRound ??= runRound().finally(() => {
      currentRound = null
      if (mustRepeatRound) startRound()
    })
    await currentRound
  }

  const startRound = (): void =>
    void pullDue().catch((error: unknown) => log('feeds', { error: messageOf(error) }))

  return {
    isDue() {
      const at = now().getTime()
      // The last condition: the clock was set back.
      return isWoken || at >= nextDue || at - lastPlanned >= planIntervalMs || at < lastPlanned
    },
    pull: pullDue,
    wake() {
      isWoken = true
      pausedUntil.clear()
    },
    async idle() {
      do {
        isWoken = true
        await pullDue()
        await Promise.all(runningPulls.values())
        await currentRound
      } while (
        runningPulls.size > 0 ||
        (await feedsWithDue(state, leasedFeedIds, now())).some(
          (feedId) => (pausedUntil.get(feedId) ?? 0) <= now().getTime(),
        )
      )
    },
    async stop() {
      stopping.abort()
      await currentRound?.catch(() => undefined)
      await Promise.all(runningPulls.values())
      await releaseFeeds(state, owner)
    },
  }
}
