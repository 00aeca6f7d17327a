import { Problem } from '#server/http/problem.ts'

/** Enough for the browser tabs of one user on a few machines. */
export const maxStreamsPerUser = 12

/** Counts open streams by user. */
export class StreamLimit {
  readonly #open = new Map<string, number>()

  /** Counts a stream until the returned function is called. @throws Problem `too_many_requests` */
  enter(userId: string): () => void {
    const open = this.#open.get(userId) ?? 0
    if (open >= maxStreamsPerUser)
      throw new Problem(
        'too_many_requests',
        `${maxStreamsPerUser} live maps are open already. Close one to open another.`,
      )
    this.#open.set(userId, open + 1)
    return () => {
      const remaining = (this.#open.get(userId) ?? 1) - 1
      if (remaining > 0) this.#open.set(userId, remaining)
      else this.#open.delete(userId)
    }
  }
}
