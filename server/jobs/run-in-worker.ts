import { startWorker } from './start-worker.ts'

/** Runs a worker file on some data and answers its one message; heavy reading stays off the thread that serves. */
export function runInWorker<Answer>(file: URL, data: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(file, data, 3072)
    worker.once('message', (answer: Answer) => {
      resolve(answer)
      void worker.terminate()
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`A worker ended early (${code})`)))
  })
}
