/** Who wants to run something. */
export interface Turn {
  userId: string
  regionId: string
  /** Ends the wait of somebody who has gone away. */
  signal?: AbortSignal | undefined
}

/** Bounds of a queue; what is not given is not limited. */
export interface QueueLimits {
  running: number
  runningPerUser?: number
  runningPerRegion?: number
  waiting?: number
  waitingPerUser?: number
  /** Longest wait, ms. */
  waitMs?: number
}

/** Why a queue did not take a turn: the user has enough waiting, all have, or the wait was too long. */
export class TurnRefused extends Error {
  override name = 'TurnRefused'
  readonly reason: 'user' | 'all' | 'late'
  constructor(reason: TurnRefused['reason']) {
    super(`No turn: ${reason}`)
    this.reason = reason
  }
}

interface WaitingTurn extends Turn {
  start(): void
}

/** Ends a turn; ending it again does nothing. */
export type EndTurn = () => void

/**
 * Turns of many users at a scarce resource. Users take turns in order of arrival, whatever the number of turns that each of them waits
 * for; a turn that must wait for its user's or region's limit is passed over.
 */
export class FairQueue {
  readonly #limits: Required<QueueLimits>
  /** Users in order of their next turn, each with the turns that they wait for. */
  readonly #waiting = new Map<string, WaitingTurn[]>()
  readonly #runningByUser = new Map<string, number>()
  readonly #runningByRegion = new Map<string, number>()
  #running = 0
  #waitingCount = 0
  #refused = 0
  constructor(limits: QueueLimits) {
    const none = Number.POSITIVE_INFINITY
    this.#limits = {
      runningPerUser: none,
      runningPerRegion: none,
      waiting: none,
      waitingPerUser: none,
      waitMs: none,
      ...limits,
    }
  }

  get state(): { running: number; waiting: number; refused: number } {
    return { running: this.#running, waiting: this.#waitingCount, refused: this.#refused }
  }

  /** Waits for a turn; answers how to end it. Throws TurnRefused, or the reason of an aborted signal. */
  async take(turn: Turn): Promise<EndTurn> {
    turn.signal?.throwIfAborted()
    if (this.#mayRun(turn) && !this.#waiting.has(turn.userId)) return this.#run(turn)
    const { waiting, waitingPerUser } = this.#limits
    const own = this.#waiting.get(turn.userId) ?? []
    if (own.length >= waitingPerUser) throw this.#refuse('user')
    if (this.#waitingCount >= waiting) throw this.#refuse('all')
    return new Promise<EndTurn>((resolve, reject) => this.#wait(turn, own, resolve, reject))
  }

  #wait(
    turn: Turn,
    own: WaitingTurn[],
    resolve: (end: EndTurn) => void,
    reject: (reason: unknown) => void,
  ): void {
    const { signal } = turn
    const leave = (reason: unknown): void => {
      settle()
      this.#remove(entry)
      reject(reason)
      // Another turn of the user may run where this one had to wait for its region.
      this.#next()
    }
    const handleAbort = (): void => leave(signal?.reason)
    const { waitMs } = this.#limits
    const timer = Number.isFinite(waitMs) ? setTimeout(() => leave(this.#refuse('late')), waitMs) : undefined
    const settle = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', handleAbort)
    }
    const entry: WaitingTurn = {
      ...turn,
      start: () => {
        settle()
        resolve(this.#run(turn))
      },
    }
    signal?.addEventListener('abort', handleAbort, { once: true })
    own.push(entry)
    this.#waiting.set(turn.userId, own)
    this.#waitingCount++
    // Nobody else may be able to run: then the user's next turn is not held up by one that waits for its region.
    this.#next()
  }

  #refuse(reason: TurnRefused['reason']): TurnRefused {
    this.#refused++
    return new TurnRefused(reason)
  }

  #remove(entry: WaitingTurn): void {
    const own = this.#waiting.get(entry.userId)
    const at = own?.indexOf(entry) ?? -1
    if (!own || at < 0) return
    own.splice(at, 1)
    this.#waitingCount--
    if (!own.length) this.#waiting.delete(entry.userId)
  }

  #mayRun({ userId, regionId }: Turn): boolean {
    const { running, runningPerUser, runningPerRegion } = this.#limits
    return (
      this.#running < running &&
      (this.#runningByUser.get(userId) ?? 0) < runningPerUser &&
      (this.#runningByRegion.get(regionId) ?? 0) < runningPerRegion
    )
  }

  #run({ userId, regionId }: Turn): EndTurn {
    this.#running++
    count(this.#runningByUser, userId, 1)
    count(this.#runningByRegion, regionId, 1)
    let isRunning = true
    return () => {
      if (!isRunning) return
      isRunning = false
      this.#running--
      count(this.#runningByUser, userId, -1)
      count(this.#runningByRegion, regionId, -1)
      this.#next()
    }
  }

  #next(): void {
    for (const [userId, own] of this.#waiting) {
      if (this.#running >= this.#limits.running) return
      const next = own.find((turn) => this.#mayRun(turn))
      if (!next) continue
      this.#remove(next)
      // Whoever has had a turn is the last to have another one.
      if (this.#waiting.delete(userId)) this.#waiting.set(userId, own)
      next.start()
    }
  }
}

function count(counts: Map<string, number>, key: string, by: number): void {
  const now = (counts.get(key) ?? 0) + by
  if (now) counts.set(key, now)
  else counts.delete(key)
}
