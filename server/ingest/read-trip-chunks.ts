import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '#server/jobs/start-worker.ts'
import { TripFileError } from './trip-file-error.ts'
import type { FileSurvey, SurveyTask } from './survey-file.ts'
import type { ReadTripsMessage, ReadTripsTask, TripChunk } from './read-trips-worker.ts'

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
      void worker.terminate()
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

/** Reads a trip file on a thread of its own, chunk by chunk: while one is stored, the next is read. Throws the reason of `signal` once it is aborted. `onBytes` gets the bytes of the file that were read, also while no chunk comes. */
export async function* readTripChunks(
  task: ReadTripsTask,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): AsyncGenerator<TripChunk> {
  const worker = idle.pop() ?? newReader()
  worker.ref()
  const messages: ReadTripsMessage[] = []
  const failures: Error[] = []
  let wake: () => void = () => undefined
  const take = (message: ReadTripsMessage): void => {
    if ('bytes' in message) return onBytes(message.bytes)
    messages.push(message)
    wake()
  }
  const fail = (error: Error): void => {
    failures.push(error)
    wake()
  }
  const abort = (): void => fail(signal.reason as Error)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  worker.on('message', take).on('error', fail)
  worker.postMessage(task)
  let ended = false
  try {
    for (;;) {
      while (!messages.length && !failures.length) await new Promise<void>((resolve) => (wake = resolve))
      if (failures[0]) throw failures[0]
      const message = messages.shift() as Exclude<
        ReadTripsMessage,
        { bytes: number } | { survey: FileSurvey }
      >
      ended = !('chunk' in message)
      if ('end' in message) return
      if ('problem' in message)
        throw message.fault ? new Error(message.fault) : new ReadingProblem(message.problem)
      // Taken: the reader goes on with the next chunk while this one is stored.
      worker.postMessage('taken')
      yield message.chunk
    }
  } finally {
    signal.removeEventListener('abort', abort)
    worker.off('message', take).off('error', fail)
    if (ended) release(worker)
    else await worker.terminate()
  }
}
