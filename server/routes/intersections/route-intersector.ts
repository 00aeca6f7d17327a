import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { isHeavyWork } from '#server/geography/membership/layer-membership.ts'
import { listPackedBuffers, packGeometries } from '#server/geography/membership/packed-geometries.ts'
import { startWorker } from '#server/jobs/start-worker.ts'
import type { RouteRow } from '../queries/route-shapes.ts'
import { IntersectionIndex, makeRouteShapeLine } from './intersection-index.ts'
import { growAreas, type ShapeList } from './shape-list.ts'

/** Intersects routes with the shapes of a list. */
export interface RouteIntersector {
  /** Returns lines for the fact store with the shapes that each route intersects. */
  makeRouteShapeLines(routes: readonly RouteRow[], regionId: string): Promise<Uint8Array>
}

/** The number of routes that are processed before other work gets a turn: a few milliseconds. */
const routesPerTurn = 200
const idleMs = 60_000

/** Works on the calling thread, for few and simple shapes, where starting a thread would take longer. */
class InlineIntersector implements RouteIntersector {
  readonly #list: ShapeList
  #index: Promise<IntersectionIndex> | null = null
  constructor(list: ShapeList) {
    this.#list = list
  }

  async makeRouteShapeLines(tripRoutes: readonly RouteRow[], regionId: string): Promise<Uint8Array> {
    const index = await (this.#index ??= growAreas(this.#list).then((areas) => new IntersectionIndex(areas)))
    const lines: string[] = []
    for (const [position, tripRoute] of tripRoutes.entries()) {
      if (position % routesPerTurn === routesPerTurn - 1) await turn()
      lines.push(makeRouteShapeLine(tripRoute, index, regionId, this.#list.listId))
    }
    return Buffer.from(lines.join(''))
  }
}

/** Works on a thread of its own, which ends when idle and is restarted on demand. */
class WorkerIntersector implements RouteIntersector {
  readonly #list: ShapeList
  readonly #startWorker: typeof startWorker
  #worker: Worker | null = null
  #previous: Promise<unknown> = Promise.resolve()
  #idleTimer: NodeJS.Timeout | null = null
  constructor(list: ShapeList, start: typeof startWorker) {
    this.#list = list
    this.#startWorker = start
  }

  /** Requests run one after the other, because responses of the worker carry no id. */
  makeRouteShapeLines(routes: readonly RouteRow[], regionId: string): Promise<Uint8Array> {
    const response = this.#previous.then(() => this.#request(routes, regionId))
    this.#previous = response.catch(() => undefined)
    return response
  }

  async #request(routes: readonly RouteRow[], regionId: string): Promise<Uint8Array> {
    if (this.#idleTimer) clearTimeout(this.#idleTimer)
    const worker = (this.#worker ??= this.#start())
    const settled = new AbortController()
    try {
      return await new Promise<Uint8Array>((resolve, reject) => {
        const untilSettled = { signal: settled.signal }
        once(worker, 'message', untilSettled).then(([lines]) => resolve(lines as Uint8Array), reject)
        once(worker, 'exit', untilSettled).then(
          () => reject(new Error('The thread that intersects routes with shapes has ended')),
          reject,
        )
        worker.postMessage({ routes, regionId })
      })
    } finally {
      settled.abort()
      this.#idleTimer = setTimeout(() => this.#end(), idleMs).unref()
    }
  }

  #start(): Worker {
    const { listId, buffer, geometries } = this.#list
    const packed = packGeometries(geometries)
    const worker = this.#startWorker(
      new URL('./intersect-worker.ts', import.meta.url),
      { listId, buffer, geometries: packed },
      { heapMegabytes: 3072, transfer: listPackedBuffers(packed) },
    )
    worker.unref()
    // The pending request gets the error; an idle worker that ends is replaced by the next request.
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

/** Large lists are processed on a thread of their own. Tests replace `start`. */
export const createRouteIntersector = (list: ShapeList, start = startWorker): RouteIntersector =>
  isHeavyWork(list.geometries, list.buffer) ? new WorkerIntersector(list, start) : new InlineIntersector(list)
