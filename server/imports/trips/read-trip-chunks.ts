import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '#server/jobs/start-worker.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import type { FileSurvey, SurveyTask } from '../survey-file.ts'
import type { ReadTripsTask, TripChunk } from './read-trips.ts'
import type { ReadTripsMessage } from './read-trips-worker.ts'

/** A file cannot be read to its end, for example because it is truncated. Chunks before that are stored. */
export class ReadingProblem extends Error {
  override name = 'ReadingProblem'
}

/** Idle reader threads are reused, because starting a thread takes longer than reading a small file. */
const idleWorkers: Worker[] = []
const startReader = (): Worker =>
  startWorker(new URL('./read-trips-worker.ts', import.meta.url), null, { heapMegabytes: 2048 })

/** More idle threads than this are terminated. */
const maxIdleWorkers = 2

/** Makes a thread available for the next file. */
function release(worker: Worker): void {
  worker.unref()
  if (idleWorkers.length < maxIdleWorkers) idleWorkers.push(worker)
  else void worker.terminate()
}

/** A thread that does not respond for this long is terminated. Reading a part of a file takes about 10 ms. */
const stopTimeoutMs = 2000

/**
 * Stops the task of a thread, which closes its file and can then be reused. Not simply terminated, because
 * that could leave a file open that the thread is just opening.
 */
async function stopTask(worker: Worker): Promise<void> {
  const signal = AbortSignal.timeout(stopTimeoutMs)
  worker.postMessage('stop')
  try {
    if (worker.threadId === -1) return
    for (let hasEnded = false; !hasEnded;) {
      const [message] = (await once(worker, 'message', { signal })) as [ReadTripsMessage]
      hasEnded = !('chunk' in message || 'bytes' in message)
    }
    release(worker)
  } catch {
    await worker.terminate()
  }
}

/**
 * Surveys a file on a thread. `onBytes` receives the number of bytes that were read.
 * @throws TableFileError for an invalid file, and the reason of `signal` when it is aborted.
 */
export async function surveyOnThread(
  task: SurveyTask,
  signal?: AbortSignal,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<FileSurvey> {
  const worker = idleWorkers.pop() ?? startReader()
  worker.ref()
  worker.postMessage({ survey: task })
  for (;;) {
    let message: ReadTripsMessage
    try {
      // `once` also rejects if the thread emits an error.
      ;[message] = (await once(worker, 'message', signal ? { signal } : {})) as [ReadTripsMessage]
    } catch (error) {
      void stopTask(worker)
      throw signal?.aborted ? signal.reason : error
    }
    if ('bytes' in message) {
      onBytes(message.bytes)
      continue
    }
    release(worker)
    if ('survey' in message) return message.survey
    if ('problem' in message && !message.stack) throw new TableFileError(message.problem)
    throw new Error('problem' in message ? message.stack : 'Unexpected message of the file reader')
  }
}

/**
 * Reads a trip file on a thread, at most one chunk ahead of the consumer. When the complete file is read,
 * `onRead` is called and the thread can be reused, even if the last chunk is not consumed yet.
 */
export class TripReader {
  readonly task: ReadTripsTask
  readonly #worker = idleWorkers.pop() ?? startReader()
  readonly #messages: Exclude<ReadTripsMessage, { bytes: number } | { survey: FileSurvey }>[] = []
  #failure: Error | null = null
  #bytes = 0
  /** Whether the file was read completely or the reader was closed. */
  #isRead = false
  #onRead: () => void = () => undefined
  #onBytes: (bytes: number) => void = () => undefined
  #wake: () => void = () => undefined

  constructor(task: ReadTripsTask) {
    this.task = task
    this.#worker.ref()
    this.#worker.on('message', this.#handleMessage).on('error', this.#fail)
    this.#worker.postMessage(task)
  }

  /**
   * Yields the chunks of the file; to be called only once. `onBytes` receives the number of bytes read.
   * @throws the reason of `signal` when it is aborted.
   */
  async *chunks(
    signal: AbortSignal,
    onBytes: (bytes: number) => void,
    onRead: () => void,
  ): AsyncGenerator<TripChunk> {
    const abort = (): void => this.#fail(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    this.#onBytes = onBytes
    this.#onRead = onRead
    onBytes(this.#bytes)
    if (this.#isRead) onRead()
    try {
      for (;;) {
        while (!this.#messages.length && !this.#failure)
          await new Promise<void>((resolve) => (this.#wake = resolve))
        if (this.#failure) throw this.#failure
        const message = this.#messages.shift()
        if (!message || 'end' in message) return
        if ('problem' in message)
          throw message.stack ? new Error(message.stack) : new ReadingProblem(message.problem)
        // The acknowledgment lets the thread read the next chunk while this one is stored.
        this.#worker.postMessage('received')
        yield message.chunk
      }
    } finally {
      signal.removeEventListener('abort', abort)
      await this.close()
    }
  }

  /** Stops the reader, even in the middle of a file. */
  async close(): Promise<void> {
    if (this.#isRead) return
    this.#detach()
    await stopTask(this.#worker)
  }

  readonly #handleMessage = (message: ReadTripsMessage): void => {
    if ('survey' in message) return
    if ('bytes' in message) return this.#onBytes((this.#bytes = message.bytes))
    this.#messages.push(message)
    if (!('chunk' in message)) {
      this.#detach()
      release(this.#worker)
      this.#onRead()
    }
    this.#wake()
  }

  readonly #fail = (error: Error): void => {
    this.#failure ??= error
    this.#wake()
  }

  #detach(): void {
    this.#isRead = true
    this.#worker.off('message', this.#handleMessage).off('error', this.#fail)
  }
}
