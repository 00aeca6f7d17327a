import type { Worker } from 'node:worker_threads'
import { type AdapterFeed, type Read, UnreadableBody } from '../adapters/adapter.ts'
import { startWorker } from '#server/jobs/start-worker.ts'

/** A body to be parsed on the reading thread, by the adapter of a kind and the feed's version. */
export interface ReadTask {
  kind: string
  feed: AdapterFeed
  stream: string
  body: Uint8Array
  /** Ms since 1970. */
  received: number
}

/** A message of the reading thread: one part after the other, each on request; or why there is none. */
export type ReadMessage = { part: Read; isLast: boolean } | { unreadable: string } | { parseError: string }

interface Limits {
  /** Memory of the thread. Adapters refuse bodies that would need more: a thread that runs out of memory may crash the process. */
  megabytes: number
  /** Maximum ms for one part. */
  partTimeoutMs: number
  /** Ms without work after which the thread ends. */
  idleMs: number
}

const defaultLimits: Limits = { megabytes: 3072, partTimeoutMs: 60_000, idleMs: 300_000 }

/** The next message of a worker. Throws UnreadableBody if it runs out of memory or time. */
function nextMessage(worker: Worker, { partTimeoutMs }: Limits): Promise<ReadMessage> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () =>
        settle(() =>
          reject(
            new UnreadableBody(`The response took longer than ${partTimeoutMs / 1000} seconds to read.`),
          ),
        ),
      partTimeoutMs,
    )
    const handleMessage = (message: ReadMessage): void => settle(() => resolve(message))
    const failed = (error: NodeJS.ErrnoException): void =>
      settle(() =>
        reject(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? new UnreadableBody('The response holds more than can be read at once.')
            : error,
        ),
      )
    const ended = (): void => settle(() => reject(new Error('The reading thread ended')))
    const settle = (how: () => void): void => {
      clearTimeout(late)
      worker.off('message', handleMessage).off('error', failed).off('exit', ended)
      how()
    }
    worker.once('message', handleMessage).once('error', failed).once('exit', ended)
  })
}

/** Parses large responses off the main thread, one after the other. */
export class ReadingThread {
  readonly #limits: Limits
  #worker: Worker | null = null
  #turn: Promise<void> = Promise.resolve()
  #idleTimer: NodeJS.Timeout | null = null

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...defaultLimits, ...limits }
  }

  /** The content of a body, part by part. The bytes are transferred to the thread. Throws UnreadableBody. */
  async *read(task: ReadTask): AsyncGenerator<Read> {
    const before = this.#turn
    let done = (): void => undefined
    this.#turn = new Promise((resolve) => (done = resolve))
    await before
    if (this.#idleTimer) clearTimeout(this.#idleTimer)
    try {
      yield* this.#read(task)
    } finally {
      this.#idleTimer = setTimeout(() => this.#end(), this.#limits.idleMs).unref()
      done()
    }
  }

  async *#read(task: ReadTask): AsyncGenerator<Read> {
    const worker = (this.#worker ??= this.#start())
    const { buffer, byteLength } = task.body
    worker.postMessage(
      task,
      buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
    )
    let isIdle = false
    try {
      while (!isIdle) {
        const message = await nextMessage(worker, this.#limits)
        isIdle = !('part' in message) || message.isLast
        if ('unreadable' in message) throw new UnreadableBody(message.unreadable)
        if ('parseError' in message) throw new Error(message.parseError)
        yield message.part
        if (!message.isLast) worker.postMessage('more')
      }
    } finally {
      // Interrupted in the middle of a task: a new worker takes its place.
      if (!isIdle) this.#end()
    }
  }

  #start(): Worker {
    const worker = startWorker(
      new URL('./read-answer-worker.ts', import.meta.url),
      null,
      this.#limits.megabytes,
    )
    worker.unref()
    // Errors are handled where a message is awaited; an idle worker that dies is replaced.
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
