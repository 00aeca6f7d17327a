import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { isHeavyWork } from '#server/geography/membership/layer-membership.ts'
import { listPackedBuffers, packGeometries } from '#server/geography/membership/packed-geometries.ts'
import { startWorker } from '#server/jobs/start-worker.ts'
import type { RouteRow } from '../queries/route-shapes.ts'
import { IntersectionIndex, routeShapeLine } from './intersection-index.ts'
import { growAreas, type ShapeList } from './shape-list.ts'

/** Holds routes against the shapes of a list. */
export interface RouteIntersector {
  /** Intersects routes of a region with a list of shapes; returns lines for the fact store. */
  routeShapeLines(ways: readonly RouteRow[], regionId: string): Promise<Uint8Array>
}

/** Ways that are held against shapes before others have their turn: some milliseconds. */
const routesPerTurn = 200
const idleMs = 60_000

/** On the calling thread: for few and simple shapes, where starting a thread would take longer. */
class InlineIntersector implements RouteIntersector {
  readonly #list: ShapeList
  #index: Promise<IntersectionIndex> | null = null
  constructor(list: ShapeList) {
    this.#list = list
  }

  async routeShapeLines(tripRoutes: readonly RouteRow[], regionId: string): Promise<Uint8Array> {
    const index = await (this.#index ??= growAreas(this.#list).then((areas) => new IntersectionIndex(areas)))
    const lines: string[] = []
    for (const [at, tripRoute] of tripRoutes.entries()) {
      if (at % routesPerTurn === routesPerTurn - 1) await turn()
      lines.push(routeShapeLine(tripRoute, index, regionId, this.#list.listId))
    }
    return Buffer.from(lines.join(''))
  }
}

/** On its own thread, which ends after some idle time and starts again on demand. */
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

  /** One after the other. */
  routeShapeLines(ways: readonly RouteRow[], regionId: string): Promise<Uint8Array> {
    const response = this.#previous.then(() => this.#request(ways, regionId))
    this.#previous = response.catch(() => undefined)
    return response
  }

  async #request(ways: readonly RouteRow[], regionId: string): Promise<Uint8Array> {
    if (this.#idleTimer) clearTimeout(this.#idleTimer)
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
      this.#idleTimer = setTimeout(() => this.#end(), idleMs).unref()
    }
  }

  #start(): Worker {
    const { listId, buffer, geometries } = this.#list
    const packed = packGeometries(geometries)
    const worker = this.#startWorker(
      new URL('./intersect-worker.ts', import.meta.url),
      { listId, buffer, geometries: packed },
      3072,
      listPackedBuffers(packed),
    )
    worker.unref()
    // Errors are handled by the waiting caller; an idle worker that dies is replaced.
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

/** Large lists are held against routes on a thread of their own, which `start` starts. */
export const createRouteIntersector = (list: ShapeList, start = startWorker): RouteIntersector =>
  isHeavyWork(list.geometries, list.buffer) ? new WorkerIntersector(list, start) : new InlineIntersector(list)
