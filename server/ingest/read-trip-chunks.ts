import type { Worker } from 'node:worker_threads'
import { startWorker } from '#server/jobs/start-worker.ts'
import type { ReadTripsMessage, ReadTripsTask, TripChunk } from './read-trips-worker.ts'

/** A file that breaks off in the middle; what was read before stays. */
export class ReadingProblem extends Error {
  override name = 'ReadingProblem'
}

/** A reader that has ended its file waits here for the next one: starting a thread takes longer than reading a small file. */
const idle: Worker[] = []
const newReader = (): Worker => startWorker(new URL('./read-trips-worker.ts', import.meta.url), null, 2048)

/** Reads a trip file on a thread of its own, chunk by chunk: while one is stored, the next is read. */
export async function* readTripChunks(task: ReadTripsTask): AsyncGenerator<TripChunk> {
  const worker = idle.pop() ?? newReader()
  worker.ref()
  const messages: ReadTripsMessage[] = []
  const failures: Error[] = []
  let wake: () => void = () => undefined
  const take = (message: ReadTripsMessage): void => {
    messages.push(message)
    wake()
  }
  const fail = (error: Error): void => {
    failures.push(error)
    wake()
  }
  worker.on('message', take).on('error', fail)
  worker.postMessage(task)
  let ended = false
  try {
    for (;;) {
      while (!messages.length && !failures.length) await new Promise<void>((resolve) => (wake = resolve))
      if (failures[0]) throw failures[0]
      const message = messages.shift() as ReadTripsMessage
      ended = !('chunk' in message)
      if ('end' in message) return
      if ('problem' in message) throw message.fault ? new Error(message.fault) : new ReadingProblem(message.problem)
      // Taken: the reader goes on with the next chunk while this one is stored.
      worker.postMessage('taken')
      yield message.chunk
    }
  } finally {
    worker.off('message', take).off('error', fail)
    if (ended) {
      worker.unref()
      idle.push(worker)
    } else await worker.terminate()
  }
}
