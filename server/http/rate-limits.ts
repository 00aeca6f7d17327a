import { LRUCache } from 'lru-cache'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { Log } from '#server/jobs/log.ts'
import type { State } from '#server/stores/state.ts'

/** A token bucket: up to `calls` calls are available at once, and more at a constant rate. */
export interface RateLimit {
  /** Maximum calls within `windowMs`. */
  calls: number
  windowMs: number
}

/** State of a limit after a call. */
export interface RateState {
  isAllowed: boolean
  /** Calls that are left, rounded down. */
  remaining: number
  /** Time (ms) until all calls are available again or, if this was refused, until the next one is allowed. */
  resetMs: number
}

/** Counts calls by key, in memory or in the state store. */
export interface RateCounters {
  /** Counts a call, unless it is refused, and returns the state of the limit. */
  take(key: string, limit: RateLimit, atMs: number): Promise<RateState>
  /** Returns the state that a call would result in, without counting it. */
  peek(key: string, limit: RateLimit, atMs: number): Promise<RateState>
}

/** Tolerance for rounding errors of `used`, which is a sum of fractions. */
const tolerance = 1e-9

interface Bucket {
  /** Calls that are not available again yet, at `atMs`; a fraction. */
  used: number
  atMs: number
}

/** Maximum number of keys in memory; the least recently used are evicted. */
const maxKeys = 50_000

/** Token buckets in the memory of this server. */
export class MemoryRateCounters implements RateCounters {
  readonly #buckets = new LRUCache<string, Bucket>({ max: maxKeys })

  take(key: string, limit: RateLimit, atMs: number): Promise<RateState> {
    const { state, bucket } = takeFromBucket(this.#buckets.get(key), limit, atMs)
    this.#buckets.set(key, bucket)
    return Promise.resolve(state)
  }

  peek(key: string, limit: RateLimit, atMs: number): Promise<RateState> {
    return Promise.resolve(takeFromBucket(this.#buckets.get(key), limit, atMs).state)
  }
}

/** Interval at which counts in memory are added to those in the state store. */
const shareEveryMs = 1000

/**
 * Token buckets in memory, for calls that must not cost a query each. Once a second, the counts of a server
 * are added to those in the state store and replaced by the sum, so that all servers together can exceed a
 * limit only by the calls of one second.
 */
export class BatchedRateCounters implements RateCounters {
  readonly #state: Pick<State, 'execute'>
  readonly #log: Log
  readonly #buckets = new LRUCache<string, Bucket>({ max: maxKeys })
  /** Numbers of calls that are not in the state store yet, by `windowMs / calls` of the limit and by key. */
  #pending = new Map<number, Map<string, number>>()
  #sharedAtMs = 0
  #sharing: Promise<void> = Promise.resolve()

  constructor(state: Pick<State, 'execute'>, log: Log) {
    this.#state = state
    this.#log = log
  }

  take(key: string, limit: RateLimit, atMs: number): Promise<RateState> {
    const { state, bucket } = takeFromBucket(this.#buckets.get(key), limit, atMs)
    this.#buckets.set(key, bucket)
    if (state.isAllowed) {
      const perCallMs = limit.windowMs / limit.calls
      const counts = this.#pending.get(perCallMs) ?? new Map<string, number>()
      this.#pending.set(perCallMs, counts.set(key, (counts.get(key) ?? 0) + 1))
    }
    // The absolute value, so that sharing continues if the clock is set back.
    if (Math.abs(atMs - this.#sharedAtMs) >= shareEveryMs) {
      this.#sharedAtMs = atMs
      this.#sharing = this.#sharing.then(() => this.#share(atMs))
    }
    return Promise.resolve(state)
  }

  peek(key: string, limit: RateLimit, atMs: number): Promise<RateState> {
    return Promise.resolve(takeFromBucket(this.#buckets.get(key), limit, atMs).state)
  }

  /** Resolves when the running exchange with the state store is done. */
  settled(): Promise<void> {
    return this.#sharing
  }

  async #share(atMs: number): Promise<void> {
    const pending = this.#pending
    this.#pending = new Map()
    for (const [perCallMs, counts] of pending)
      try {
        const { rows } = await this.#state.execute(
          `insert into rate_bucket as b (key, used, at_ms)
           select key, calls, $3::bigint from unnest($1::text[], $2::double precision[]) as added (key, calls) order by key
           on conflict (key) do update set
             used = greatest(0, b.used - greatest(0, $3::bigint - b.at_ms) / $4::double precision) + excluded.used,
             at_ms = greatest(b.at_ms, $3::bigint)
           returning key, used, at_ms`,
          [[...counts.keys()], [...counts.values()], Math.floor(atMs), perCallMs],
        )
        for (const row of rows as { key: string; used: number; at_ms: string | number }[]) {
          const callsMeanwhile = this.#pending.get(perCallMs)?.get(row.key) ?? 0
          this.#buckets.set(row.key, { used: Number(row.used) + callsMeanwhile, atMs: Number(row.at_ms) })
        }
      } catch (error) {
        // The counts in memory still apply; only the exchange with other servers failed.
        this.#log('rate limits could not be shared', { error: getErrorMessage(error) })
      }
  }
}

/** Token buckets in the state store, which all servers of an installation share. */
export class SharedRateCounters implements RateCounters {
  readonly #state: Pick<State, 'execute'>
  constructor(state: Pick<State, 'execute'>) {
    this.#state = state
  }

  async take(key: string, limit: RateLimit, atMs: number): Promise<RateState> {
    const { calls, windowMs } = limit
    // A single statement: two servers cannot both grant the last call. Refused calls return no row.
    const { rows } = await this.#state.execute(
      `insert into rate_bucket as b (key, used, at_ms) values ($1, 1, $2::bigint)
       on conflict (key) do update set
         used = greatest(0, b.used - greatest(0, $2::bigint - b.at_ms) / $3::double precision) + 1,
         at_ms = greatest(b.at_ms, $2::bigint)
       where greatest(0, b.used - greatest(0, $2::bigint - b.at_ms) / $3::double precision) + 1
         <= $4::double precision + 1e-9
       returning used`,
      [key, Math.floor(atMs), windowMs / calls, calls],
    )
    const row = rows[0] as { used: number } | undefined
    if (!row) return this.peek(key, limit, atMs)
    return {
      isAllowed: true,
      remaining: Math.floor(calls - Number(row.used)),
      resetMs: Math.ceil(Number(row.used) * (windowMs / calls)),
    }
  }

  async peek(key: string, limit: RateLimit, atMs: number): Promise<RateState> {
    const { rows } = await this.#state.execute('select used, at_ms from rate_bucket where key = $1', [key])
    const row = rows[0] as { used: number; at_ms: string | number } | undefined
    const bucket = row && { used: Number(row.used), atMs: Number(row.at_ms) }
    return takeFromBucket(bucket, limit, atMs).state
  }

  /** Removes buckets without calls since a time at which all their calls are available again. */
  async removeOld(beforeMs: number): Promise<void> {
    await this.#state.execute('delete from rate_bucket where at_ms < $1::bigint', [Math.floor(beforeMs)])
  }
}

/** Takes one call from a bucket, if one is available. Returns the new bucket and the state of the limit. */
function takeFromBucket(
  bucket: Bucket | undefined,
  { calls, windowMs }: RateLimit,
  atMs: number,
): { state: RateState; bucket: Bucket } {
  const perCallMs = windowMs / calls
  const passedMs = bucket ? Math.max(0, atMs - bucket.atMs) : 0
  const used = bucket ? Math.max(0, bucket.used - passedMs / perCallMs) : 0
  const isAllowed = used + 1 <= calls + tolerance
  const usedAfterCall = isAllowed ? used + 1 : used
  return {
    state: {
      isAllowed,
      remaining: Math.floor(calls - usedAfterCall),
      resetMs: Math.ceil((isAllowed ? usedAfterCall : usedAfterCall + 1 - calls) * perCallMs),
    },
    bucket: { used: usedAfterCall, atMs: bucket ? Math.max(atMs, bucket.atMs) : atMs },
  }
}

/** Returns headers with the state of a limit (draft-ietf-httpapi-ratelimit-headers, up to version 7). */
export function createRateHeaders({ calls, windowMs }: RateLimit, state: RateState): Record<string, string> {
  const seconds = String(Math.ceil(state.resetMs / 1000))
  return {
    'ratelimit-limit': String(calls),
    'ratelimit-remaining': String(state.remaining),
    'ratelimit-reset': seconds,
    'ratelimit-policy': `${calls};w=${windowMs / 1000}`,
    ...(state.isAllowed ? {} : { 'retry-after': seconds }),
  }
}

/** Opens counters for keys and users, and for addresses. A single server counts in memory. */
export function openRateCounters(
  state: State,
  log: Log,
  isAlone: boolean,
): { counters: RateCounters; addresses: RateCounters } {
  if (!isAlone)
    return { counters: new SharedRateCounters(state), addresses: new BatchedRateCounters(state, log) }
  const counters = new MemoryRateCounters()
  return { counters, addresses: counters }
}
