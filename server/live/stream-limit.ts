import { Problem } from '#server/http/problem.ts'

/** Enough for the browser tabs of one user on a few machines. */
export const maxStreamsPerUser = 12

/** Counts open streams by user. */
export class StreamLimit {
  readonly #counts = new Map<string, number>()

  /** Counts a stream until the returned function is called. @throws Problem `too_many_requests` */
  enter(userId: string): () => void {
    const openCount = this.#counts.get(userId) ?? 0
    if (openCount >= maxStreamsPerUser)
      throw new Problem(
        'too_many_requests',
        `${maxStreamsPerUser} live maps are open already. Close one to open another.`,
      )
    this.#counts.set(userId, openCount + 1)
    return () => {
      const remainingCount = (this.#counts.get(userId) ?? 1) - 1
      if (remainingCount > 0) this.#counts.set(userId, remainingCount)
      else this.#counts.delete(userId)
    }
  }
}
