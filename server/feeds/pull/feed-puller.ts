import { randomUUID } from 'node:crypto'
import { getErrorMessage } from '#contract/problem-text.ts'
import { systemScope } from '#server/identity/scope.ts'
import { findAdapter } from '../adapters/list.ts'
import type { OAuthTokens } from '../auth/oauth-tokens.ts'
import type { FeedServices } from '../feed-services.ts'
import { findSources, type FeedSource } from '../feed-source.ts'
import { leaseFeeds, releaseFeeds } from './feed-leases.ts'
import { maxPullsPerFeed, type PullEnd, PullSlots } from './pull-slots.ts'
import { pullStreamWindow } from './pull-stream-window.ts'
import {
  getRequestedPullWindow,
  type DuePullWindow,
  findDuePullWindows,
  filterFeedsWithDue,
  findNextDueTime,
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

/** Returns the key of a pull: feed, stream and window start. */
const getPullKey = (feedId: string, { stream, windowStart }: DuePullWindow): string =>
  `${feedId} ${stream} ${windowStart}`

/** Opens the puller. `isAlone`: no other process uses the state store, so leases of other processes are stale. */
export const openPuller = (
  feeds: FeedServices,
  tokens: OAuthTokens,
  { isAlone = false }: { isAlone?: boolean } = {},
): Puller => new FeedPuller(feeds, tokens, isAlone)

class FeedPuller implements Puller {
  readonly #feeds: FeedServices
  readonly #tokens: OAuthTokens
  /** Whether leases of other processes are released before the first plan. */
  #mustReleaseStale: boolean
  /** The owner of this process's leases. */
  readonly #owner = randomUUID()
  readonly #stopping = new AbortController()
  readonly #slots = new PullSlots()
  /** The pulls in progress, by `getPullKey`. */
  readonly #runningPulls = new Map<string, Promise<void>>()
  /** The end (ms) of pauses that servers requested with Retry-After, by feed. */
  readonly #pausedUntil = new Map<string, number>()
  #leasedFeedIds: string[] = []
  #lastPlanned = Number.NEGATIVE_INFINITY
  #isWoken = false
  /** When the next pull window is due, ms. */
  #nextDue = Infinity
  /** The round of starting pulls in progress; null if there is none. */
  #currentRound: Promise<void> | null = null
  /** A round was requested during the current one, for example because a pull has ended. */
  #mustRepeatRound = false

  constructor(feeds: FeedServices, tokens: OAuthTokens, isAlone: boolean) {
    this.#feeds = feeds
    this.#tokens = tokens
    this.#mustReleaseStale = isAlone
  }

  isDue(): boolean {
    const at = this.#feeds.now().getTime()
    // The last condition: the clock was set back.
    return (
      this.#isWoken ||
      at >= this.#nextDue ||
      at - this.#lastPlanned >= planIntervalMs ||
      at < this.#lastPlanned
    )
  }

  /** Runs a round, or requests another one after the current round and waits for the current one. */
  async pull(): Promise<void> {
    this.#mustRepeatRound = this.#currentRound !== null
    if (this.#stopping.signal.aborted) return
    this.#currentRound ??= this.#runRound().finally(() => {
      this.#currentRound = null
      if (this.#mustRepeatRound) this.#startRound()
    })
    await this.#currentRound
  }

  wake(): void {
    this.#isWoken = true
    this.#pausedUntil.clear()
  }

  async idle(): Promise<void> {
    do {
      this.#isWoken = true
      await this.pull()
      await Promise.all(this.#runningPulls.values())
      await this.#currentRound
    } while (this.#runningPulls.size > 0 || (await this.#hasUnpausedDue()))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#currentRound?.catch(() => undefined)
    await Promise.all(this.#runningPulls.values())
    await releaseFeeds(this.#feeds.state, this.#owner)
  }

  async #hasUnpausedDue(): Promise<boolean> {
    const { state, now } = this.#feeds
    const dueFeedIds = await filterFeedsWithDue(state, this.#leasedFeedIds, now())
    return dueFeedIds.some((feedId) => !this.#isPaused(feedId, now()))
  }

  #isPaused(feedId: string, at: Date): boolean {
    return (this.#pausedUntil.get(feedId) ?? 0) > at.getTime()
  }

  #startRound(): void {
    void this.pull().catch((error: unknown) =>
      this.#feeds.log('feeds could not be pulled', { error: getErrorMessage(error) }),
    )
  }

  async #runRound(): Promise<void> {
    const at = this.#feeds.now()
    const isPlanned = !this.#isWoken && at.getTime() - this.#lastPlanned < planIntervalMs
    this.#isWoken = false
    // If this round fails, the next one is due after the usual interval.
    this.#nextDue = at.getTime() + planIntervalMs
    if (!isPlanned) await this.#plan(at)
    await this.#fillSlots(at)
    // Only future windows count: a feed with due windows that found no free slot is served when a pull ends.
    this.#nextDue = Math.min(
      (await findNextDueTime(this.#feeds.state, this.#leasedFeedIds, at)) ?? Infinity,
      ...[...this.#pausedUntil.values()].filter((until) => until > at.getTime()),
    )
  }

  /** Renews leases and enqueues the new pull windows of the leased feeds. */
  async #plan(at: Date): Promise<void> {
    const { state, adapters, log } = this.#feeds
    if (this.#mustReleaseStale) await releaseFeeds(state, null)
    this.#mustReleaseStale = false
    this.#leasedFeedIds = await leaseFeeds(state, this.#owner, at)
    for (const { feed, kind } of await findSources(this.#feeds, this.#leasedFeedIds)) {
      const adapter = findAdapter(adapters, { kind, version: feed.version })
      // A feed that cannot be planned must not prevent the others from being planned.
      if (adapter)
        await planPullWindows(state, adapter, feed, at).catch((error: unknown) =>
          log('pulls of a feed could not be planned', { feedId: feed.feedId, error: getErrorMessage(error) }),
        )
    }
    this.#lastPlanned = at.getTime()
  }

  /** Starts due pulls while there are free slots. */
  async #fillSlots(at: Date): Promise<void> {
    const { state } = this.#feeds
    const unpausedFeedIds = this.#leasedFeedIds.filter((feedId) => !this.#isPaused(feedId, at))
    const dueFeedIds = new Set(await filterFeedsWithDue(state, unpausedFeedIds, at))
    for (
      let feedId = this.#slots.next([...dueFeedIds]);
      feedId && !this.#stopping.signal.aborted;
      feedId = this.#slots.next([...dueFeedIds])
    ) {
      const [source] = await findSources(this.#feeds, [feedId])
      const dueWindow = await this.#findStartableWindow(feedId, at)
      if (source && dueWindow) this.#startPull(source, dueWindow)
      else dueFeedIds.delete(feedId)
    }
  }

  /** Finds the first due pull window of a feed that is not being pulled. */
  async #findStartableWindow(feedId: string, at: Date): Promise<DuePullWindow | undefined> {
    const dueWindows = await findDuePullWindows(this.#feeds.state, feedId, at, maxPullsPerFeed + 1)
    return dueWindows.find((dueWindow) => !this.#runningPulls.has(getPullKey(feedId, dueWindow)))
  }

  /** Starts a pull. When it ends, its slot is free and the next round begins. */
  #startPull(source: FeedSource, due: DuePullWindow): void {
    const { feedId } = source.feed
    const key = getPullKey(feedId, due)
    this.#slots.begin(feedId)
    const work = this.#pullWindow(source, due)
      .catch((error: unknown): PullEnd => {
        this.#feeds.log('feed pull failed', { feedId, stream: due.stream, error: getErrorMessage(error) })
        return 'failed'
      })
      .then((result) => {
        this.#runningPulls.delete(key)
        this.#slots.end(feedId, result)
        if (result !== 'aborted') this.#startRound()
      })
    this.#runningPulls.set(key, work)
  }

  /** Pulls one window of a stream and records the outcome. */
  async #pullWindow(source: FeedSource, due: DuePullWindow): Promise<PullEnd> {
    const feeds = this.#feeds
    const { state, adapters, now } = feeds
    const { feed, kind } = source
    const adapter = findAdapter(adapters, { kind, version: feed.version })
    const stream = adapter?.streams(feed).find(({ name }) => name === due.stream)
    const at = now()
    if (!adapter || !stream) {
      await deleteObsoleteWindows(state, feed.feedId, due.stream)
      return 'succeeded'
    }
    const range = getRequestedPullWindow(stream, due, feed, at.getTime())
    const outcome = await pullStreamWindow(
      { feeds, tokens: this.#tokens, adapter, source, stream, pullWindow: range },
      this.#stopping.signal,
    )
    if (!outcome) return 'aborted'
    if (outcome.status === 'failed' && outcome.retryAfter)
      this.#pausedUntil.set(feed.feedId, now().getTime() + outcome.retryAfter)
    await recordOutcome(
      state,
      {
        feedId: feed.feedId,
        stream,
        due,
        until: range.until,
        everySeconds: stream.everySeconds ?? source.intervalSeconds,
        at: now(),
      },
      outcome,
    )
    return outcome.status === 'failed' ? 'failed' : 'succeeded'
  }
}

/** Deletes the open windows of a stream that the feed no longer has, because its version or settings changed. */
async function deleteObsoleteWindows(
  state: FeedServices['state'],
  feedId: string,
  stream: string,
): Promise<void> {
  await state
    .as(systemScope)
    .deleteFrom('pull_window')
    .where('feed_id', '=', feedId)
    .where('stream', '=', stream)
    .where('status', 'in', openStatuses)
    .execute()
}
