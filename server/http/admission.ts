import type { EndpointCost } from '#contract/endpoint.ts'
import { type EndTurn, FairQueue, type Turn, TurnRefused } from '#server/stores/fair-queue.ts'
import { type CallWork, workloadSessions, createLightWork } from '#server/stores/workloads.ts'
import { Busy } from './problem.ts'

/** Limits of concurrent heavy calls, which wait for a turn for at most `waitMs`. */
const heavyLimits = {
  running: workloadSessions.heavy,
  runningPerRegion: 2,
  runningPerUser: 1,
  waiting: 60,
  waitingPerUser: 20,
  waitMs: 20_000,
}
/**
 * Limits of concurrent calls of any kind. Two cores handle a few hundred light calls per second; more would
 * wait for seconds and occupy memory. A map sends about sixty at a time.
 */
const callLimits = { running: 400, runningPerUser: 200, waiting: 0 }
/** Limits of concurrent long bodies, which take about ten times their size in memory while parsed. */
const bodyLimits = { running: 3, runningPerUser: 1, waiting: 0 }
/** Seconds after which a refused client may retry, by reason. The last three are those of `TurnRefused`. */
const retryAfterSeconds = { call: 2, user: 5, all: 10, late: 10 } as const

const refusalMessages: Record<TurnRefused['reason'], string> = {
  user: 'You have too many long queries running at once. Wait until some of them finish.',
  all: 'The server is busy with long questions.',
  late: 'The server is busy with long questions; this one has waited too long.',
}

/** Takes a turn of a queue. @throws Busy if it is refused. */
async function waitForTurn(queue: FairQueue, turn: Turn): Promise<EndTurn> {
  try {
    return await queue.take(turn)
  } catch (error) {
    if (!(error instanceof TurnRefused)) throw error
    throw new Busy(
      error.reason === 'user' ? 'too_many_requests' : 'service_unavailable',
      refusalMessages[error.reason],
      retryAfterSeconds[error.reason],
    )
  }
}

/** Limits concurrent calls, heavy calls and long bodies, per user and in total. */
export class Admission {
  readonly #heavy = new FairQueue(heavyLimits)
  readonly #calls = new FairQueue(callLimits)
  readonly #bodies = new FairQueue(bodyLimits)

  /**
   * Opens a call. The first query of a heavy call waits for a turn, which `end` releases. A call without
   * queries, such as one served from a cache, does not wait.
   */
  open(cost: EndpointCost, turn: Turn): CallWork {
    if (cost === 'light') return createLightWork()
    let isEnded = false
    let end: EndTurn | null = null
    let admission: Promise<void> | null = null
    const admit = async (): Promise<void> => {
      end = await waitForTurn(this.#heavy, turn)
      if (isEnded) end()
    }
    return {
      get workload() {
        return isEnded ? 'background' : 'heavy'
      },
      waitForAdmission: () => (isEnded ? Promise.resolve() : (admission ??= admit())),
      end: () => {
        isEnded = true
        end?.()
      },
    }
  }

  /**
   * Takes a turn for a call of a user, or of an address if nobody is signed in.
   * @throws Busy immediately if none is free.
   */
  async takeCall(userId: string): Promise<EndTurn> {
    try {
      return await this.#calls.take({ userId, regionId: '' })
    } catch {
      const isUserLimit = this.#calls.state.running < callLimits.running
      throw new Busy(
        isUserLimit ? 'too_many_requests' : 'service_unavailable',
        isUserLimit
          ? 'Too many calls of yours are being answered.'
          : 'The server is answering too many calls.',
        retryAfterSeconds.call,
      )
    }
  }

  /** Takes a turn for a long body of a user. @throws Busy immediately if none is free. */
  async takeBody(userId: string): Promise<EndTurn> {
    try {
      return await this.#bodies.take({ userId, regionId: '' })
    } catch {
      const isUserLimit = this.#bodies.state.running < bodyLimits.running
      throw new Busy(
        isUserLimit ? 'too_many_requests' : 'service_unavailable',
        isUserLimit
          ? 'Another long document of yours is being read.'
          : 'The server is reading other long documents.',
        retryAfterSeconds.user,
      )
    }
  }

  /** The numbers of running and waiting calls of each queue. */
  get state() {
    return { calls: this.#calls.state, heavy: this.#heavy.state, bodies: this.#bodies.state }
  }
}
