import type { EndpointCost } from '#contract/endpoint.ts'
import { type EndTurn, FairQueue, type Turn, TurnRefused } from '#server/stores/fair-queue.ts'
import { type CallWork, laneSessions, lightWork } from '#server/stores/lanes.ts'
import { Busy } from './problem.ts'

/** Heavy questions at once: as many as their lane has sessions; a region leaves one to others, and a user half of them. */
const heavyLimits = {
  running: laneSessions.heavy,
  runningPerRegion: 3,
  runningPerUser: 2,
  waiting: 60,
  waitingPerUser: 20,
  waitMs: 20_000,
}
/**
 * Calls of any kind that are being answered at once. Two cores answer some hundred light ones a second: more would wait for seconds and take
 * memory meanwhile. A map asks for some sixty at a time.
 */
const callLimits = { running: 400, runningPerUser: 200, waiting: 0 }
/** Long bodies at once, one of each user. Each takes memory of some ten times its size while it is parsed and checked. */
const bodyLimits = { running: 3, runningPerUser: 1, waiting: 0 }

/** Seconds after which a refused caller may try again. */
const retryAfter = { call: 2, user: 5, all: 10, late: 10 } as const

const refusals: Record<TurnRefused['reason'], string> = {
  user: 'You have asked too many long questions at once. Wait until some of them are answered.',
  all: 'The server is busy with long questions.',
  late: 'The server is busy with long questions; this one has waited too long.',
}

async function waitForTurn(queue: FairQueue, turn: Turn): Promise<EndTurn> {
  try {
    return await queue.take(turn)
  } catch (error) {
    if (!(error instanceof TurnRefused)) throw error
    throw new Busy(
      error.reason === 'user' ? 'too_many_requests' : 'service_unavailable',
      refusals[error.reason],
      retryAfter[error.reason],
    )
  }
}

/** Decides which calls may ask the fact store heavy questions, and which may send long bodies. */
export class Admission {
  readonly #heavy = new FairQueue(heavyLimits)
  readonly #calls = new FairQueue(callLimits)
  readonly #bodies = new FairQueue(bodyLimits)

  /** A call whose first question waits for a turn, if the call is heavy; its end gives the turn to the next. An answer that needs no question, as a cached one, waits for nobody. */
  open(cost: EndpointCost, turn: Turn): CallWork {
    if (cost === 'light') return lightWork()
    let isEnded = false
    let end: EndTurn | null = null
    let admission: Promise<void> | null = null
    const admit = async (): Promise<void> => {
      end = await waitForTurn(this.#heavy, turn)
      if (isEnded) end()
    }
    return {
      get lane() {
        return isEnded ? 'background' : 'heavy'
      },
      waitForAdmission: () => (isEnded ? Promise.resolve() : (admission ??= admit())),
      end: () => {
        isEnded = true
        end?.()
      },
    }
  }

  /** A turn for a call of a user, or of an address where nobody is signed in; nobody waits for one. */
  async takeCall(userId: string): Promise<EndTurn> {
    try {
      return await this.#calls.take({ userId, regionId: '' })
    } catch {
      const isOwn = this.#calls.state.running < callLimits.running
      throw new Busy(
        isOwn ? 'too_many_requests' : 'service_unavailable',
        isOwn ? 'Too many calls of yours are being answered.' : 'The server is answering too many calls.',
        retryAfter.call,
      )
    }
  }

  /** A turn for a long body of a user; nobody waits for one. */
  async takeBody(userId: string): Promise<EndTurn> {
    try {
      return await this.#bodies.take({ userId, regionId: '' })
    } catch {
      const isOwn = this.#bodies.state.running < bodyLimits.running
      throw new Busy(
        isOwn ? 'too_many_requests' : 'service_unavailable',
        isOwn
          ? 'Another long document of yours is being read.'
          : 'The server is reading other long documents.',
        retryAfter.user,
      )
    }
  }

  get state() {
    return { calls: this.#calls.state, heavy: this.#heavy.state, bodies: this.#bodies.state }
  }
}
