import { AsyncLocalStorage } from 'node:async_hooks'
import { poolWait } from '#server/metrics/server-metrics.ts'
import { FairQueue } from './fair-queue.ts'

/**
 * Number of sessions by lane of the fact store. A light query never waits for a heavy one, and neither waits
 * for background work. Kills use an additional session, so they never wait for the queries that they end
 * (docs/decisions/026).
 */
export const laneSessions = { light: 5, heavy: 3, background: 3 } as const
export type Lane = keyof typeof laneSessions

/** Number of sessions of all lanes. */
export const totalLaneSessions = Object.values(laneSessions).reduce((sum, each) => sum + each, 0)

/** ClickHouse's `priority`: queries with a larger number pause while one with a smaller number runs. */
export const lanePriority: Record<Lane, number> = { light: 1, heavy: 2, background: 2 }

/** A running call or job; its queries run in its lane. */
export interface LaneWork {
  readonly lane: Lane
  /** Waits until the work may run queries; resolves immediately once it was admitted. */
  waitForAdmission(): Promise<void>
}

/** The work of an HTTP call. */
export interface CallWork extends LaneWork {
  /** Ends the call. Queries that are still running become background work. */
  end(): void
}

/** The work of a light call, such as most calls of the web app and pushes of operators. */
export function lightWork(): CallWork {
  let lane: Lane = 'light'
  return {
    get lane() {
      return lane
    },
    waitForAdmission: () => Promise.resolve(),
    end: () => {
      lane = 'background'
    },
  }
}

const backgroundWork: LaneWork = { lane: 'background', waitForAdmission: () => Promise.resolve() }
const current = new AsyncLocalStorage<LaneWork>()

/**
 * Runs a function, and everything it awaits, in the lane of `work`. Without this, queries run in the
 * background lane.
 */
export const runInLane = <Result>(work: LaneWork, run: () => Result): Result => current.run(work, run)

export const currentWork = (): LaneWork => current.getStore() ?? backgroundWork

/** The lanes of one fact store. */
export class Lanes {
  readonly #queues = {
    light: new FairQueue({ running: laneSessions.light }),
    heavy: new FairQueue({ running: laneSessions.heavy }),
    background: new FairQueue({ running: laneSessions.background }),
  }

  /** Runs a query once its work is admitted and a session of its lane is free. */
  async run<Result>(query: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const work = currentWork()
    await work.waitForAdmission()
    const begin = performance.now()
    const end = await this.#queues[work.lane].take({ userId: '', regionId: '', signal })
    poolWait.observe({ store: 'facts' }, (performance.now() - begin) / 1000)
    try {
      return await query()
    } finally {
      end()
    }
  }

  get state(): Record<Lane, FairQueue['state']> {
    return {
      light: this.#queues.light.state,
      heavy: this.#queues.heavy.state,
      background: this.#queues.background.state,
    }
  }
}
