import type { Worker } from 'node:worker_threads'
import { startWorker } from '#server/jobs/start-worker.ts'
import { type AdapterFeed, type ReadResult, UnreadableBody } from '../adapters/adapter.ts'

/** A body to be parsed on the reading thread by the adapter of the kind and the feed's version. */
export interface ReadTask {
  kind: string
  feed: AdapterFeed
  stream: string
  body: Uint8Array
  /** Milliseconds since 1970. */
  received: number
}

/** A message of the reading thread: a part of the result, or the reason why there is none. */
export type ReadMessage =
  | { part: ReadResult; isLast: boolean }
  | { unreadable: string }
  | { parseError: string }

interface Limits {
  /**
   * The heap of the thread. Adapters reject bodies that would need more, because running out of memory may
   * crash the process.
   */
  megabytes: number
  /** The maximum time for one part. */
  partTimeoutMs: number
  /** The time without work after which the thread ends. */
  idleMs: number
}

const defaultLimits: Limits = { megabytes: 3072, partTimeoutMs: 60_000, idleMs: 300_000 }

/** Resolves with a worker's next message. Rejects with UnreadableBody if it runs out of memory or time. */
function awaitMessage(worker: Worker, { partTimeoutMs }: Limits): Promise<ReadMessage> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        settle(() =>
          reject(
            new UnreadableBody(`The response took longer than ${partTimeoutMs / 1000} seconds to read.`),
          ),
        ),
      partTimeoutMs,
    )
    const handleMessage = (message: ReadMessage): void => settle(() => resolve(message))
    const handleError = (error: NodeJS.ErrnoException): void =>
      settle(() =>
        reject(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? new UnreadableBody('The response contains more than can be read at once.')
            : error,
        ),
      )
    const handleExit = (): void => settle(() => reject(new Error('The reading thread ended')))
    const settle = (resolveOrReject: () => void): void => {
      clearTimeout(timer)
      worker.off('message', handleMessage).off('error', handleError).off('exit', handleExit)
      resolveOrReject()
    }
    worker.once('message', handleMessage).once('error', handleError).once('exit', handleExit)
  })
}

/** Parses large responses on a thread, one after the other. */
export class ReadingThread {
  readonly #limits: Limits
  #worker: Worker | null = null
  /** Resolves when the last requested task has ended. */
  #previous: Promise<void> = Promise.resolve()
  #idleTimer: NodeJS.Timeout | null = null

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...defaultLimits, ...limits }
  }

  /**
   * Yields the content of a body in parts. The bytes are transferred to the thread.
   * @throws UnreadableBody.
   */
  async *read(task: ReadTask): AsyncGenerator<ReadResult> {
    const previous = this.#previous
    let release = (): void => undefined
    this.#previous = new Promise((resolve) => (release = resolve))
    await previous
    if (this.#idleTimer) clearTimeout(this.#idleTimer)
    try {
      yield* this.#read(task)
    } finally {
      this.#idleTimer = setTimeout(() => this.#end(), this.#limits.idleMs).unref()
      release()
    }
  }

  async *#read(task: ReadTask): AsyncGenerator<ReadResult> {
    const worker = (this.#worker ??= this.#start())
    const { buffer, byteLength } = task.body
    worker.postMessage(
      task,
      buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
    )
    let isIdle = false
    try {
      while (!isIdle) {
        const message = await awaitMessage(worker, this.#limits)
        isIdle = !('part' in message) || message.isLast
        if ('unreadable' in message) throw new UnreadableBody(message.unreadable)
        if ('parseError' in message) throw new Error(message.parseError)
        yield message.part
        if (!message.isLast) worker.postMessage('more')
      }
    } finally {
      // The task was interrupted, so the worker is in an unknown state and is replaced.
      if (!isIdle) this.#end()
    }
  }

  #start(): Worker {
    const worker = startWorker(new URL('./read-response-worker.ts', import.meta.url), null, {
      heapMegabytes: this.#limits.megabytes,
    })
    worker.unref()
    // `awaitMessage` handles errors; an idle worker that ends is replaced by the next task.
    worker
      .on('error', () => undefined)
      .once('exit', () => {
        if (this.#worker === worker) this.#worker = null
      })
    return worker
  }

  #end(): void {
    void this.#worker?.terminate()
    this.#worker = null
  }
}
