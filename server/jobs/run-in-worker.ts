import type { Transferable, Worker } from 'node:worker_threads'
import { startWorker } from './start-worker.ts'

/** So long a thread without work is there for the next one of its file: to start one takes longer than reading a small file. */
const idleMs = 10 * 60_000
/** Also bounds what a large file may take. */
const megabytes = 3072

/** One idle thread a file. */
const idleWorkers = new Map<string, { worker: Worker; stopWatching: () => void }>()

function release(file: URL, worker: Worker): void {
  if (idleWorkers.has(file.href)) return void worker.terminate()
  const end = setTimeout(() => {
    drop()
    void worker.terminate()
  }, idleMs).unref()
  const stopWatching = (): void => {
    clearTimeout(end)
    worker.off('error', drop).off('exit', drop)
    idleWorkers.delete(file.href)
  }
  // One that ends by itself, or cannot start, is not used again: the next one says why.
  const drop = (): void => stopWatching()
  worker.once('error', drop).once('exit', drop)
  worker.unref()
  idleWorkers.set(file.href, { worker, stopWatching })
}

function take(file: URL): Worker {
  const found = idleWorkers.get(file.href)
  if (!found) return startWorker(file, null, megabytes)
  found.stopWatching()
  found.worker.ref()
  return found.worker
}

/** Starts the thread of a worker file before it is needed. */
export function warmWorker(file: URL): void {
  if (!idleWorkers.has(file.href)) release(file, startWorker(file, null, megabytes))
}

/**
 * Gives some data to a worker file, which answers with `answerWork`; heavy work stays off the thread that serves.
 * `transfer`: buffers of the data that are handed over, not copied.
 */
export function runInWorker<Answer>(
  file: URL,
  data: unknown,
  transfer: readonly Transferable[] = [],
): Promise<Answer> {
  const worker = take(file)
  return new Promise((resolve, reject) => {
    const removeListeners = (): void =>
      void worker.off('message', answered).off('error', fail).off('exit', exit)
    const answered = (answer: Answer): void => {
      removeListeners()
      release(file, worker)
      resolve(answer)
    }
    const fail = (error: Error): void => {
      removeListeners()
      reject(error)
    }
    const exit = (code: number): void => fail(new Error(`A worker ended early (${code})`))
    worker.on('message', answered).on('error', fail).on('exit', exit)
    worker.postMessage(data, transfer)
  })
}
