import { AsyncLocalStorage } from 'node:async_hooks'
import { minuteMs } from '#contract/period.ts'

const callers = new AsyncLocalStorage<string>()

/** Runs a function; its queries, and those of everything it awaits, are counted under `name`. */
export const runAsCaller = <Result>(name: string, run: () => Result): Result => callers.run(name, run)

/** Minutes over which queries are averaged. */
const averagedMinutes = 10

/** Average queries of one caller in the last minutes. */
export interface CallerQueries {
  caller: string
  queriesPerMinute: number
  /** Time in the engine per minute, ms. */
  msPerMinute: number
}

/** Counts the queries to the fact store by caller, over the last ten full minutes. */
export class QueryCounts {
  readonly #nowMs: () => number
  /** Queries and their time by minute since 1970 and caller. */
  readonly #buckets = new Map<number, Map<string, { queries: number; ms: number }>>()
  readonly #startMinute: number

  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs
    this.#startMinute = this.#readMinute()
  }

  #readMinute(): number {
    return Math.floor(this.#nowMs() / minuteMs)
  }

  /** Counts a query of the current caller. */
  async count<Result>(query: () => Promise<Result>): Promise<Result> {
    const caller = callers.getStore() ?? 'other'
    const beginMs = performance.now()
    try {
      return await query()
    } finally {
      const minute = this.#readMinute()
      let bucket = this.#buckets.get(minute)
      if (!bucket) {
        this.#buckets.set(minute, (bucket = new Map()))
        for (const oldMinute of this.#buckets.keys())
          if (oldMinute < minute - averagedMinutes) this.#buckets.delete(oldMinute)
      }
      const previous = bucket.get(caller) ?? { queries: 0, ms: 0 }
      bucket.set(caller, { queries: previous.queries + 1, ms: previous.ms + performance.now() - beginMs })
    }
  }

  /** Lists callers with their averages, the busiest first. */
  list(): CallerQueries[] {
    const currentMinute = this.#readMinute()
    const fullMinutes = Math.max(1, Math.min(averagedMinutes, currentMinute - this.#startMinute))
    const sums = new Map<string, { queries: number; ms: number }>()
    for (const [minute, bucket] of this.#buckets)
      if (minute < currentMinute && minute >= currentMinute - averagedMinutes)
        for (const [caller, { queries, ms }] of bucket) {
          const sum = sums.get(caller) ?? { queries: 0, ms: 0 }
          sums.set(caller, { queries: sum.queries + queries, ms: sum.ms + ms })
        }
    return [...sums]
      .map(([caller, { queries, ms }]) => ({
        caller,
        queriesPerMinute: Math.round((10 * queries) / fullMinutes) / 10,
        msPerMinute: Math.round(ms / fullMinutes),
      }))
      .toSorted((a, b) => b.msPerMinute - a.msPerMinute)
  }
}
