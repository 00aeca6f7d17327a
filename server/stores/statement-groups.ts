import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { getCurrentWork } from './workloads.ts'

/** A unit of work that waits for its group, with the promise of its caller. */
interface WaitingWork<Work, Result> {
  work: Work
  /** Runs a function in the async context, and so the workload, of the call that waits. */
  inContext: <Value>(run: () => Value) => Value
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Joins small units of work into one statement, because the engine's cost is per statement. Units that arrive
 * in the same turn of the event loop form a group, and so do those that arrive while a statement runs. A group
 * contains at most one unit of each region.
 */
export class StatementGroups<Work extends { regionId: string }, Result> {
  readonly #run: (works: readonly Work[]) => Promise<readonly Result[]>
  readonly #getSize: (work: Work) => number
  readonly #maxSize: number
  readonly #waiting = new Map<string, WaitingWork<Work, Result>[]>()

  /** `run` returns a result for each unit. Groups are at most `maxSize`, unless a single unit is larger. */
  constructor(
    run: (works: readonly Work[]) => Promise<readonly Result[]>,
    getSize: (work: Work) => number,
    maxSize: number,
  ) {
    this.#run = run
    this.#getSize = getSize
    this.#maxSize = maxSize
  }

  /** Joins work of the same key and workload. Other work of the group cannot make it fail. */
  add(key: string, work: Work): Promise<Result> {
    const workload = `${getCurrentWork().workload} ${key}`
    return new Promise((resolve, reject) => {
      const waiting = { work, inContext: AsyncLocalStorage.snapshot(), resolve, reject }
      const queue = this.#waiting.get(workload)
      if (queue) return void queue.push(waiting)
      this.#waiting.set(workload, [waiting])
      void this.#runAll(workload)
    })
  }

  async #runAll(key: string): Promise<void> {
    await nextTurn()
    for (let queue = this.#waiting.get(key) ?? []; queue.length; queue = this.#waiting.get(key) ?? []) {
      const { group, rest } = this.#nextGroup(queue)
      this.#waiting.set(key, rest)
      try {
        await this.#runGroup(group)
      } catch (error) {
        // Each unit is retried alone, so that one that fails does not fail the others.
        if (group.length === 1) group[0]?.reject(error)
        else for (const waiting of group) await this.#runGroup([waiting]).catch(waiting.reject)
      }
    }
    this.#waiting.delete(key)
  }

  async #runGroup(group: readonly WaitingWork<Work, Result>[]): Promise<void> {
    const results = await group[0]!.inContext(() => this.#run(group.map(({ work }) => work)))
    for (const [index, { resolve }] of group.entries()) resolve(results[index]!)
  }

  /** Splits the queue into the next group, which begins with the longest waiting work, and the rest. */
  #nextGroup(queue: readonly WaitingWork<Work, Result>[]) {
    const group: WaitingWork<Work, Result>[] = []
    const rest: WaitingWork<Work, Result>[] = []
    const regionIds = new Set<string>()
    let size = 0
    for (const waiting of queue) {
      const fits =
        !regionIds.has(waiting.work.regionId) && size + this.#getSize(waiting.work) <= this.#maxSize
      ;(fits || !group.length ? group : rest).push(waiting)
      if (fits) regionIds.add(waiting.work.regionId)
      if (fits) size += this.#getSize(waiting.work)
    }
    return { group, rest }
  }
}
