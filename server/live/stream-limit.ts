import { Problem } from '#server/http/problem.ts'

/** Streams that one user may have open: a browser's tabs on a few machines. */
export const maxStreamsPerUser = 12

/** Counts open streams by user. */
export class StreamLimit {
  readonly #open = new Map<string, number>()

  /** Answers how to leave; to be called once. Throws too_many_requests. */
  enter(userId: string): () => void {
    const open = this.#open.get(userId) ?? 0
    if (open >= maxStreamsPerUser)
      throw new Problem(
        'too_many_requests',
        `${maxStreamsPerUser} live maps are open already. Close one to open another.`,
      )
    this.#open.set(userId, open + 1)
    return () => {
      const left = (this.#open.get(userId) ?? 1) - 1
      if (left > 0) this.#open.set(userId, left)
      else this.#open.delete(userId)
    }
  }
}
