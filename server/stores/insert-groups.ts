import { AsyncLocalStorage } from 'node:async_hooks'
import { currentWork } from './lanes.ts'

/** Larger inserts are not joined with others, and neither are groups above this size. */
export const maxGroupedBytes = 1 << 18

interface Waiting {
  regionId: string
  lines: Uint8Array
  /** Runs a function in the lane of the call that inserts. */
  inContext: <Result>(run: () => Result) => Result
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Joins small inserts into one table: those that arrive while one is stored form the next one, because the engine's costs are per insert.
 * A group contains at most one insert of each region, so that no row replaces one of another batch within an insert.
 */
export class InsertGroups {
  readonly #insert: (table: string, columns: readonly string[], lines: Uint8Array) => Promise<void>
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(insert: (table: string, columns: readonly string[], lines: Uint8Array) => Promise<void>) {
    this.#insert = insert
  }

  /** Resolves when the rows are stored; rejects only for a failure of these rows or of the store. */
  insert(table: string, columns: readonly string[], regionId: string, lines: Uint8Array): Promise<void> {
    const key = `${currentWork().lane} ${table} ${columns.join()}`
    return new Promise((resolve, reject) => {
      const one = { regionId, lines, inContext: AsyncLocalStorage.snapshot(), resolve, reject }
      const queue = this.#waiting.get(key)
      if (queue) return void queue.push(one)
      this.#waiting.set(key, [one])
      void this.#run(key, table, columns)
    })
  }

  async #run(key: string, table: string, columns: readonly string[]): Promise<void> {
    const store = (group: readonly Waiting[]): Promise<void> | undefined =>
      group[0]?.inContext(() => this.#insert(table, columns, Buffer.concat(group.map(({ lines }) => lines))))
    for (let queue = this.#waiting.get(key) ?? []; queue.length; queue = this.#waiting.get(key) ?? []) {
      const { group, rest } = nextGroup(queue)
      this.#waiting.set(key, rest)
      try {
        await store(group)
        for (const { resolve } of group) resolve()
      } catch (error) {
        // Rows that cannot be stored must not fail those of others.
        if (group.length === 1) group[0]?.reject(error)
        else for (const each of group) await Promise.resolve(store([each])).then(each.resolve, each.reject)
      }
    }
    this.#waiting.delete(key)
  }
}

/** The longest waiting insert, and those that fit beside it. */
function nextGroup(queue: readonly Waiting[]): { group: Waiting[]; rest: Waiting[] } {
  const [group, rest]: [Waiting[], Waiting[]] = [[], []]
  const regionIds = new Set<string>()
  let bytes = 0
  for (const each of queue) {
    const fits = !regionIds.has(each.regionId) && bytes + each.lines.length <= maxGroupedBytes
    ;(fits || !group.length ? group : rest).push(each)
    if (fits) regionIds.add(each.regionId)
    if (fits) bytes += each.lines.length
  }
  return { group, rest }
}
