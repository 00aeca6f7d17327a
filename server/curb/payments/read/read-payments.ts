import { once } from 'node:events'
import { startWorker } from '#server/jobs/start-worker.ts'
import { CurbFileError } from '../../imports/curb-format.ts'
import type { PaymentChunk, ReadPaymentsTask } from './read-payment-file.ts'
import type { ReadPaymentsMessage } from './read-payments-worker.ts'

/** Memory of a reader's thread. */
const heapMegabytes = 1024

/** Reads a payment file on a thread; the next chunk is read while one is stored. Throws CurbFileError if it is no table. */
export async function* readPayments(
  task: ReadPaymentsTask,
  signal: AbortSignal,
): AsyncGenerator<PaymentChunk> {
  const worker = startWorker(new URL('./read-payments-worker.ts', import.meta.url), task, heapMegabytes)
  // An error of the thread rejects as well.
  const nextMessage = (): Promise<[ReadPaymentsMessage]> => {
    const next = once(worker, 'message', { signal }) as Promise<[ReadPaymentsMessage]>
    next.catch(() => undefined)
    return next
  }
  try {
    for (let next = nextMessage(); ;) {
      const [message] = await next
      if ('end' in message) return
      if ('problem' in message) throw new CurbFileError(message.problem)
      next = nextMessage()
      worker.postMessage('taken')
      yield message.chunk
    }
  } finally {
    await worker.terminate()
  }
}
