import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { isMuchWork } from '#server/geography/layer-membership.ts'
import { buffersOfPacked, packGeometries } from '#server/geography/membership/packed-geometries.ts'
import { startWorker } from '#server/jobs/start-worker.ts'
import type { WayRow } from '../queries/way-shapes.ts'
import { TouchIndex, wayShapeLine } from './touch-index.ts'
import { areasOf, type WayList } from './way-list.ts'

/** Holds ways against the shapes of a list. */
export interface WayToucher {
  /** What the list says of ways of a region, as lines for the fact store. */
  lines(ways: readonly WayRow[], regionId: string): Promise<Uint8Array>
}

/** Ways that are held against shapes before others have their turn: some milliseconds. */
const waysAtOnce = 200
const idleMs = 60_000

/** On the thread that asks: of few and simple shapes, for which starting another would take longer. */
class NearToucher implements WayToucher {
  readonly #list: WayList
  #index: Promise<TouchIndex> | null = null
  constructor(list: WayList) {
    this.#list = list
  }

  async lines(ways: readonly WayRow[], regionId: string): Promise<Uint8Array> {
    const index = await (this.#index ??= areasOf(this.#list).then((areas) => new TouchIndex(areas)))
    const lines: string[] = []
    for (const [at, way] of ways.entries()) {
      if (at % waysAtOnce === waysAtOnce - 1) await turn()
      lines.push(wayShapeLine(way, index, regionId, this.#list.listId))
    }
    return Buffer.from(lines.join(''))
  }
}

/** On a thread of its own, which ends when it has had nothing to do for a while and begins anew when it is asked again. */
class FarToucher implements WayToucher {
  readonly #list: WayList
  readonly #startWorker: typeof startWorker
  #worker: Worker | null = null
  #before: Promise<unknown> = Promise.resolve()
  #rest: NodeJS.Timeout | null = null
  constructor(list: WayList, start: typeof startWorker) {
    this.#list = list
    this.#startWorker = start
  }

  /** One after the other. */
  lines(ways: readonly WayRow[], regionId: string): Promise<Uint8Array> {
    const asked = this.#before.then(() => this.#ask(ways, regionId))
    this.#before = asked.catch(() => undefined)
    return asked
  }

  async #ask(ways: readonly WayRow[], regionId: string): Promise<Uint8Array> {
    if (this.#rest) clearTimeout(this.#rest)
    const worker = (this.#worker ??= this.#start())
    const settled = new AbortController()
    try {
      return await new Promise<Uint8Array>((resolve, reject) => {
        const until = { signal: settled.signal }
        once(worker, 'message', until).then(([lines]) => resolve(lines as Uint8Array), reject)
        once(worker, 'exit', until).then(
          () => reject(new Error('The thread that holds ways against shapes ended')),
          reject,
        )
        worker.postMessage({ ways, regionId })
      })
    } finally {
      settled.abort()
      this.#rest = setTimeout(() => this.#end(), idleMs).unref()
    }
  }

  #start(): Worker {
    const { listId, buffer, geometries } = this.#list
    const packed = packGeometries(geometries)
    const worker = this.#startWorker(
      new URL('./touch-worker.ts', import.meta.url),
      { listId, buffer, geometries: packed },
      3072,
      buffersOfPacked(packed),
    )
    worker.unref()
    // Whoever waits hears of an error; one that dies while it rests is replaced.
    worker
      .on('error', () => undefined)
      .once('exit', () => {
        if (this.#worker === worker) this.#worker = null
      })
    return worker
  }

  #end(): void {
    void this.#worker?.terminate()
    this.#worker = null
  }
}

/** Large lists are held against ways on a thread of their own, which `start` starts. */
export const wayToucher = (list: WayList, start = startWorker): WayToucher =>
  isMuchWork(list.geometries, list.buffer) ? new FarToucher(list, start) : new NearToucher(list)
