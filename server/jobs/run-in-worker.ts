import type { Transferable } from 'node:worker_threads'
import { startWorker } from './start-worker.ts'

/** Runs a worker file on some data and answers its one message; heavy work stays off the thread that serves. `transfer`: buffers of the data that are handed over, not copied. */
export function runInWorker<Answer>(file: URL, data: unknown, transfer: readonly Transferable[] = []): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(file, data, 3072, transfer)
    worker.once('message', (answer: Answer) => {
      resolve(answer)
      void worker.terminate()
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`A worker ended early (${code})`)))
  })
}
