import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '#server/jobs/start-worker.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import type { FileSurvey, SurveyTask } from '../survey-file.ts'
import type { ReadTripsTask, TripChunk } from './read-trips.ts'
import type { ReadTripsMessage } from './read-trips-worker.ts'

/** A file that ends in the middle; what was read before stays. */
export class ReadingProblem extends Error {
  override name = 'ReadingProblem'
}

/** Idle readers wait here for the next file: starting a thread takes longer than reading a small file. */
const idle: Worker[] = []
const newReader = (): Worker => startWorker(new URL('./read-trips-worker.ts', import.meta.url), null, 2048)

/** Readers beyond this number are ended, so that many uploads leave no threads behind. */
const maxIdle = 2

/** Returns a reader to the idle ones. */
function release(worker: Worker): void {
  worker.unref()
  if (idle.length < maxIdle) idle.push(worker)
  else void worker.terminate()
}

/** A reader that does not respond for this long is ended; reading a part of a file takes about 10 ms. */
const stopMs = 2000

/**
 * Ends the task of a reader, which closes its file and is free for the next one. Terminating the thread could leave a file open that it is
 * opening at that moment.
 */
async function stopTask(worker: Worker): Promise<void> {
  const signal = AbortSignal.timeout(stopMs)
  worker.postMessage('stop')
  try {
    if (worker.threadId === -1) return
    for (let isOver = false; !isOver;) {
      const [message] = (await once(worker, 'message', { signal })) as [ReadTripsMessage]
      isOver = !('chunk' in message || 'bytes' in message)
    }
    release(worker)
  } catch {
    await worker.terminate()
  }
}

/**
 * Surveys a file on a reader's thread. Throws TableFileError for an invalid file, and the reason of `signal` once it is aborted.
 * `onBytes` receives the number of bytes that were read.
 */
export async function surveyOnThread(
  task: SurveyTask,
  signal?: AbortSignal,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<FileSurvey> {
  const worker = idle.pop() ?? newReader()
  worker.ref()
  worker.postMessage({ survey: task })
  for (;;) {
    let message: ReadTripsMessage
    try {
      // An error of the thread rejects as well.
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
    if ('problem' in message && !message.fault) throw new TableFileError(message.problem)
    throw new Error('problem' in message ? message.fault : 'Unexpected message of the file reader')
  }
}

/**
 * Reads a trip file on a thread, at most one chunk ahead of the consumer. `onRead` is called once the whole file is read, which may be
 * before its last chunk is consumed; the thread is free for the next file from then on.
 */
export class TripReader {
  readonly task: ReadTripsTask
  readonly #worker = idle.pop() ?? newReader()
  readonly #messages: Exclude<ReadTripsMessage, { bytes: number } | { survey: FileSurvey }>[] = []
  #failure: Error | null = null
  #bytes = 0
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

  /** The chunks of the file; call once. Throws the reason of `signal` once it is aborted. `onBytes` receives the number of bytes read, also between chunks. */
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
          throw message.fault ? new Error(message.fault) : new ReadingProblem(message.problem)
        // Acknowledged: the reader continues with the next chunk while this one is stored.
        this.#worker.postMessage('taken')
        yield message.chunk
      }
    } finally {
      signal.removeEventListener('abort', abort)
      await this.close()
    }
  }

  /** Stops the reader, also in the middle of a file. */
  async close(): Promise<void> {
    if (this.#isRead) return
    this.#letGo()
    await stopTask(this.#worker)
  }

  readonly #handleMessage = (message: ReadTripsMessage): void => {
    if ('survey' in message) return
    if ('bytes' in message) return this.#onBytes((this.#bytes = message.bytes))
    this.#messages.push(message)
    if (!('chunk' in message)) {
      this.#letGo()
      release(this.#worker)
      this.#onRead()
    }
    this.#wake()
  }

  readonly #fail = (error: Error): void => {
    this.#failure ??= error
    this.#wake()
  }

  #letGo(): void {
    this.#isRead = true
    this.#worker.off('message', this.#handleMessage).off('error', this.#fail)
  }
}
