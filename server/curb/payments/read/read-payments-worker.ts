import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { readWorkerData } from '#server/jobs/start-worker.ts'
import { CurbFileError } from '../../imports/curb-format.ts'
import { openFile } from '../../imports/open-file.ts'
import { type PaymentChunk, readPaymentFile, type ReadPaymentsTask } from './read-payment-file.ts'

export type ReadPaymentsMessage = { chunk: PaymentChunk } | { end: true } | { problem: string }

/** Reads one file. After sending a chunk, waits until the receiver is ready for the next one. */
if (parentPort) {
  const port = parentPort
  const task = readWorkerData<ReadPaymentsTask>()
  const post = (message: ReadPaymentsMessage, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer)
  try {
    await readPaymentFile(openFile(task.filePath, task.fileName), task, async (chunk) => {
      const received = once(port, 'message')
      post({ chunk }, [chunk.rows.buffer, chunk.report.buffer])
      await received
    })
    post({ end: true })
  } catch (error) {
    if (!(error instanceof TableFileError) && !(error instanceof CurbFileError)) throw error
    post({ problem: error.message })
  } finally {
    port.close()
  }
}
