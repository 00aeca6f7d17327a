import { once } from 'node:events'
import { startWorker } from '#server/jobs/start-worker.ts'
import { CurbFileError } from '../../imports/curb-format.ts'
import type { PaymentChunk, ReadPaymentsTask } from './read-payment-file.ts'
import type { ReadPaymentsMessage } from './read-payments-worker.ts'

/** Memory limit of the thread. */
const heapMegabytes = 1024

/** Reads a payment file on a thread, a chunk ahead of the caller. @throws CurbFileError if not a table. */
export async function* readPayments(
  task: ReadPaymentsTask,
  signal: AbortSignal,
): AsyncGenerator<PaymentChunk> {
  const worker = startWorker(new URL('./read-payments-worker.ts', import.meta.url), task, { heapMegabytes })
  // `once` also rejects if the thread fails. The empty handler prevents an unhandled rejection if nobody
  // waits any more.
  const awaitMessage = (): Promise<[ReadPaymentsMessage]> => {
    const next = once(worker, 'message', { signal }) as Promise<[ReadPaymentsMessage]>
    next.catch(() => undefined)
    return next
  }
  try {
    for (let next = awaitMessage(); ;) {
      const [message] = await next
      if ('end' in message) return
      if ('problem' in message) throw new CurbFileError(message.problem)
      next = awaitMessage()
      worker.postMessage('received')
      yield message.chunk
    }
  } finally {
    await worker.terminate()
  }
}
