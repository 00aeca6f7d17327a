import { AsyncLocalStorage } from 'node:async_hooks'
import { currentWork } from './lanes.ts'

interface Waiting<Work, Result> {
  work: Work
  /** Runs a function in the lane of the call that waits. */
  inContext: <Value>(run: () => Value) => Value
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** While works come at the same time, groups of a key begin this far apart, ms. */
const gatherMs = 50

/**
 * Joins small statements into one: those that arrive while one runs, or soon after, form the next one, because the engine's costs are
 * per statement. Work that comes alone never waits. A group contains at most one work of each region.
 */
export class RegionGroups<Work extends { regionId: string }, Result> {
  readonly #run: (works: readonly Work[]) => Promise<readonly Result[]>
  readonly #sizeOf: (work: Work) => number
  readonly #maxSize: number
  readonly #waiting = new Map<string, Waiting<Work, Result>[]>()

  /** `run` returns a result for each work. Groups are not larger than `maxSize`, unless a single work is. */
  constructor(
    run: (works: readonly Work[]) => Promise<readonly Result[]>,
    sizeOf: (work: Work) => number,
    maxSize: number,
  ) {
    this.#run = run
    this.#sizeOf = sizeOf
    this.#maxSize = maxSize
  }

  /** Joins work of the same key and lane. Rejects only for a failure of this work or of the store. */
  add(key: string, work: Work): Promise<Result> {
    const lane = `${currentWork().lane} ${key}`
    return new Promise((resolve, reject) => {
      const one = { work, inContext: AsyncLocalStorage.snapshot(), resolve, reject }
      const queue = this.#waiting.get(lane)
      if (queue) return void queue.push(one)
      this.#waiting.set(lane, [one])
      void this.#runAll(lane)
    })
  }

  async #runAll(key: string): Promise<void> {
    for (let queue = this.#waiting.get(key) ?? []; queue.length; queue = this.#waiting.get(key) ?? []) {
      const { group, rest } = this.#nextGroup(queue)
      this.#waiting.set(key, rest)
      const begin = performance.now()
      try {
        await this.#runGroup(group)
      } catch (error) {
        // Work that fails must not fail that of others.
        if (group.length === 1) group[0]?.reject(error)
        else for (const each of group) await this.#runGroup([each]).catch(each.reject)
      }
      if (group.length > 1 && !rest.length)
        await new Promise((resolve) => setTimeout(resolve, begin + gatherMs - performance.now()))
    }
    this.#waiting.delete(key)
  }

  async #runGroup(group: readonly Waiting<Work, Result>[]): Promise<void> {
    const results = await group[0]!.inContext(() => this.#run(group.map(({ work }) => work)))
    for (const [at, { resolve }] of group.entries()) resolve(results[at]!)
  }

  /** The longest waiting work, and what fits beside it. */
  #nextGroup(queue: readonly Waiting<Work, Result>[]) {
    const [group, rest]: [Waiting<Work, Result>[], Waiting<Work, Result>[]] = [[], []]
    const regionIds = new Set<string>()
    let size = 0
    for (const each of queue) {
      const fits = !regionIds.has(each.work.regionId) && size + this.#sizeOf(each.work) <= this.#maxSize
      ;(fits || !group.length ? group : rest).push(each)
      if (fits) regionIds.add(each.work.regionId)
      if (fits) size += this.#sizeOf(each.work)
    }
    return { group, rest }
  }
}
