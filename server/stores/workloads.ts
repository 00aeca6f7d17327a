import { AsyncLocalStorage } from 'node:async_hooks'
import { poolWait } from '#server/metrics/server-metrics.ts'
import { FairQueue } from './fair-queue.ts'

/**
 * Number of sessions by workload of the fact store. A light query never waits for a heavy one, and neither
 * waits for background work. Kills use an additional session, so they never wait for the queries that they
 * end (docs/decisions/026).
 */
export const workloadSessions = { light: 5, heavy: 3, background: 3 } as const
export type Workload = keyof typeof workloadSessions

/** Number of sessions of all workloads. */
export const totalSessions = Object.values(workloadSessions).reduce((sum, count) => sum + count, 0)

/** ClickHouse's `priority`: queries with a larger number pause while one with a smaller number runs. */
export const workloadPriority: Record<Workload, number> = { light: 1, heavy: 2, background: 2 }

/** A running call or job; its queries run in its workload. */
export interface QueryWork {
  readonly workload: Workload
  /** Waits until the work may run queries; resolves immediately once it was admitted. */
  waitForAdmission(): Promise<void>
}

/** The work of an HTTP call. */
export interface CallWork extends QueryWork {
  /** Ends the call. Queries that are still running become background work. */
  end(): void
}

/** Creates the work of a light call, such as most calls of the web app and pushes of operators. */
export function createLightWork(): CallWork {
  let workload: Workload = 'light'
  return {
    get workload() {
      return workload
    },
    waitForAdmission: () => Promise.resolve(),
    end: () => {
      workload = 'background'
    },
  }
}

const backgroundWork: QueryWork = { workload: 'background', waitForAdmission: () => Promise.resolve() }
const currentWork = new AsyncLocalStorage<QueryWork>()

/** Runs a function and all it awaits in a workload. Outside of any, queries run as background work. */
export const runInWorkload = <Result>(work: QueryWork, run: () => Result): Result =>
  currentWork.run(work, run)

/** Returns the workload of the calling code; background if none was set. */
export const getCurrentWork = (): QueryWork => currentWork.getStore() ?? backgroundWork

/** The workloads of one fact store. */
export class Workloads {
  readonly #queues = {
    light: new FairQueue({ running: workloadSessions.light }),
    heavy: new FairQueue({ running: workloadSessions.heavy }),
    background: new FairQueue({ running: workloadSessions.background }),
  }

  /** Runs a query once its work is admitted and a session of its workload is free. */
  async run<Result>(query: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const work = getCurrentWork()
    await work.waitForAdmission()
    const beginMs = performance.now()
    const end = await this.#queues[work.workload].take({ userId: '', regionId: '', signal })
    poolWait.observe({ store: 'facts' }, (performance.now() - beginMs) / 1000)
    try {
      return await query()
    } finally {
      end()
    }
  }

  get state(): Record<Workload, FairQueue['state']> {
    return {
      light: this.#queues.light.state,
      heavy: this.#queues.heavy.state,
      background: this.#queues.background.state,
    }
  }
}
