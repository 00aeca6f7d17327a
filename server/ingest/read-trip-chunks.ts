import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '#server/jobs/start-worker.ts'
import { TripFileError } from '#server/archives/trip-file-error.ts'
import type { FileSurvey, SurveyTask } from './survey-file.ts'
import type { ReadTripsTask, TripChunk } from './read-trips.ts'
import type { ReadTripsMessage } from './read-trips-worker.ts'

/** A file that breaks off in the middle; what was read before stays. */
export class ReadingProblem extends Error {
  override name = 'ReadingProblem'
}

/** A reader that has ended its file waits here for the next one: starting a thread takes longer than reading a small file. */
const idle: Worker[] = []
const newReader = (): Worker => startWorker(new URL('./read-trips-worker.ts', import.meta.url), null, 2048)

/** Readers beyond this are ended, so that many uploads at once leave no threads behind. */
const maxIdle = 2

/** Lets a reader that has ended its task wait for the next one. */
function release(worker: Worker): void {
  worker.unref()
  if (idle.length < maxIdle) idle.push(worker)
  else void worker.terminate()
}

/** A reader that does not answer for so long is ended; reading a part of a file takes some 10 ms. */
const stopMs = 2000

/**
 * Ends the task of a reader, which closes its file and is free for the next one. Its thread is not simply ended: a file that it is
 * opening at that moment would stay open.
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
 * Surveys a file on a reader's thread. Throws TripFileError where it is none, and the reason of `signal` once it is aborted.
 * `onBytes` gets the bytes of the file that were read.
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
    if ('problem' in message && !message.fault) throw new TripFileError(message.problem)
    throw new Error('problem' in message ? message.fault : 'The reader of files answered something else')
  }
}

/**
 * Reads a trip file on a thread, at most one chunk ahead of whoever takes the chunks. `onRead` is called once the whole file
 * is read, which may be before its last chunk is taken; the thread is free for the next file from then on.
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

  /** The chunks of the file, once. Throws the reason of `signal` once it is aborted. `onBytes` gets the bytes of the file that were read, also while no chunk comes. */
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
        // Taken: the reader goes on with the next chunk while this one is stored.
        this.#worker.postMessage('taken')
        yield message.chunk
      }
    } finally {
      signal.removeEventListener('abort', abort)
      await this.close()
    }
  }

  /** Ends the reader; a file that was not read to its end is left. */
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
