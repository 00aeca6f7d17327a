import { AsyncLocalStorage } from 'node:async_hooks'
import { FairQueue } from './fair-queue.ts'

/**
 * Lanes of the fact store. Each has sessions of its own, so that a light question never waits for a heavy one, nor either of them for
 * work in the background; what kills questions has one more, and never waits for those that it kills (docs/decisions/026).
 */
export const laneSessions = { light: 5, heavy: 4, background: 3 } as const
export type Lane = keyof typeof laneSessions

/** Sessions of all lanes together. */
export const totalLaneSessions = Object.values(laneSessions).reduce((sum, each) => sum + each, 0)

/** While a light question runs, ClickHouse pauses those of a larger number. */
export const lanePriority: Record<Lane, number> = { light: 1, heavy: 2, background: 2 }

/** A call or a job under way, whose questions run in its lane. */
export interface LaneWork {
  readonly lane: Lane
  /** Waits until the work may ask questions at all; answers at once if it has waited before. */
  waitForAdmission(): Promise<void>
}

/** Work that somebody waits for. */
export interface CallWork extends LaneWork {
  /** What the call leaves running is work in the background. */
  end(): void
}

/** A light call, as those of the web app and pushes of operators are. */
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

/** Runs something, and all that it awaits, in a lane. What is run in none is work in the background. */
export const runInLane = <Result>(work: LaneWork, run: () => Result): Result => current.run(work, run)

export const currentWork = (): LaneWork => current.getStore() ?? backgroundWork

/** The lanes of one fact store. */
export class Lanes {
  readonly #queues = {
    light: new FairQueue({ running: laneSessions.light }),
    heavy: new FairQueue({ running: laneSessions.heavy }),
    background: new FairQueue({ running: laneSessions.background }),
  }

  /** Runs a question once its work is admitted and a session of its lane is free. */
  async run<Result>(ask: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const work = currentWork()
    await work.waitForAdmission()
    const end = await this.#queues[work.lane].take({ userId: '', regionId: '', signal })
    try {
      return await ask()
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
