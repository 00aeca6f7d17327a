/** A request for a turn. */
export interface Turn {
  userId: string
  regionId: string
  /** Ends the wait when the client disconnects. */
  signal?: AbortSignal | undefined
}

/** Limits of a queue, as numbers of turns; omitted ones are unlimited. */
export interface QueueLimits {
  running: number
  runningPerUser?: number
  runningPerRegion?: number
  waiting?: number
  waitingPerUser?: number
  /** Maximum wait, ms. */
  waitMs?: number
}

/** A queue refused a turn: too many of the user or of all users wait, or this one has waited too long. */
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

/** Ends a turn. Idempotent. */
export type EndTurn = () => void

/**
 * Shares a scarce resource among users. Users take turns in order of arrival, no matter how many turns each
 * of them has requested. Turns of a user or region at its limit are skipped.
 */
export class FairQueue {
  readonly #limits: Required<QueueLimits>
  /** Waiting turns by user; users are in order of their next turn. */
  readonly #waiting = new Map<string, WaitingTurn[]>()
  readonly #runningByUser = new Map<string, number>()
  readonly #runningByRegion = new Map<string, number>()
  #running = 0
  #waitingCount = 0
  #refused = 0
  constructor(limits: QueueLimits) {
    const unlimited = Number.POSITIVE_INFINITY
    this.#limits = {
      runningPerUser: unlimited,
      runningPerRegion: unlimited,
      waiting: unlimited,
      waitingPerUser: unlimited,
      waitMs: unlimited,
      ...limits,
    }
  }

  get state(): { running: number; waiting: number; refused: number } {
    return { running: this.#running, waiting: this.#waitingCount, refused: this.#refused }
  }

  /**
   * Waits for a turn and returns the function that ends it.
   * @throws TurnRefused, or the reason of an aborted signal.
   */
  async take(turn: Turn): Promise<EndTurn> {
    turn.signal?.throwIfAborted()
    if (this.#canRun(turn) && !this.#waiting.has(turn.userId)) return this.#run(turn)
    const { waiting, waitingPerUser } = this.#limits
    const turns = this.#waiting.get(turn.userId) ?? []
    if (turns.length >= waitingPerUser) throw this.#refuse('user')
    if (this.#waitingCount >= waiting) throw this.#refuse('all')
    return new Promise<EndTurn>((resolve, reject) => this.#wait(turn, turns, resolve, reject))
  }

  #wait(
    turn: Turn,
    turns: WaitingTurn[],
    resolve: (end: EndTurn) => void,
    reject: (reason: unknown) => void,
  ): void {
    const { signal } = turn
    const leave = (reason: unknown): void => {
      stopWaiting()
      this.#remove(entry)
      reject(reason)
      // This turn may have blocked another one of the user whose region is below its limit.
      this.#startNext()
    }
    const handleAbort = (): void => leave(signal?.reason)
    const { waitMs } = this.#limits
    const timer = Number.isFinite(waitMs) ? setTimeout(() => leave(this.#refuse('late')), waitMs) : undefined
    const stopWaiting = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', handleAbort)
    }
    const entry: WaitingTurn = {
      ...turn,
      start: () => {
        stopWaiting()
        resolve(this.#run(turn))
      },
    }
    signal?.addEventListener('abort', handleAbort, { once: true })
    turns.push(entry)
    this.#waiting.set(turn.userId, turns)
    this.#waitingCount++
    // The new turn may run at once even if an earlier one of the user waits for another region.
    this.#startNext()
  }

  #refuse(reason: TurnRefused['reason']): TurnRefused {
    this.#refused++
    return new TurnRefused(reason)
  }

  #remove(entry: WaitingTurn): void {
    const turns = this.#waiting.get(entry.userId)
    const index = turns?.indexOf(entry) ?? -1
    if (!turns || index < 0) return
    turns.splice(index, 1)
    this.#waitingCount--
    if (!turns.length) this.#waiting.delete(entry.userId)
  }

  #canRun({ userId, regionId }: Turn): boolean {
    const { running, runningPerUser, runningPerRegion } = this.#limits
    return (
      this.#running < running &&
      (this.#runningByUser.get(userId) ?? 0) < runningPerUser &&
      (this.#runningByRegion.get(regionId) ?? 0) < runningPerRegion
    )
  }

  #run({ userId, regionId }: Turn): EndTurn {
    this.#running++
    addTo(this.#runningByUser, userId, 1)
    addTo(this.#runningByRegion, regionId, 1)
    let isRunning = true
    return () => {
      if (!isRunning) return
      isRunning = false
      this.#running--
      addTo(this.#runningByUser, userId, -1)
      addTo(this.#runningByRegion, regionId, -1)
      this.#startNext()
    }
  }

  /** Starts the next turn of each user, as long as the limits allow. */
  #startNext(): void {
    for (const [userId, turns] of this.#waiting) {
      if (this.#running >= this.#limits.running) return
      const nextTurn = turns.find((turn) => this.#canRun(turn))
      if (!nextTurn) continue
      this.#remove(nextTurn)
      // The user moves to the end of the line; a Map iterates in order of insertion.
      if (this.#waiting.delete(userId)) this.#waiting.set(userId, turns)
      nextTurn.start()
    }
  }
}

function addTo(counts: Map<string, number>, key: string, difference: number): void {
  const count = (counts.get(key) ?? 0) + difference
  if (count) counts.set(key, count)
  else counts.delete(key)
}
