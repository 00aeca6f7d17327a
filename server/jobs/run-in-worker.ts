import type { Transferable, Worker } from 'node:worker_threads'
import { startWorker } from './start-worker.ts'

/**
 * How long an idle thread is retained for reuse. Starting a thread takes longer than reading a small file,
 * but the heap of an idle thread remains allocated.
 */
const idleMs = 60_000
/** The heap limit of a thread, which also limits the size of files that it can read. */
const heapMegabytes = 3072

/** One idle thread per worker file. */
const idleWorkers = new Map<string, { worker: Worker; stopWatching: () => void }>()

/** Retains a thread for reuse; ends it if another one of the file is idle. */
function release(file: URL, worker: Worker): void {
  if (idleWorkers.has(file.href)) return void worker.terminate()
  const idleTimer = setTimeout(() => {
    drop()
    void worker.terminate()
  }, idleMs).unref()
  const stopWatching = (): void => {
    clearTimeout(idleTimer)
    worker.off('error', drop).off('exit', drop)
    idleWorkers.delete(file.href)
  }
  // A thread that exits or fails while idle is not reused. If new ones fail too, their callers get the error.
  const drop = (): void => stopWatching()
  worker.once('error', drop).once('exit', drop)
  worker.unref()
  idleWorkers.set(file.href, { worker, stopWatching })
}

function acquireWorker(file: URL): Worker {
  const idleWorker = idleWorkers.get(file.href)
  if (!idleWorker) return startWorker(file, null, { heapMegabytes })
  idleWorker.stopWatching()
  idleWorker.worker.ref()
  return idleWorker.worker
}

/** Starts the thread of a worker file in advance. */
export function warmWorker(file: URL): void {
  if (!idleWorkers.has(file.href)) release(file, startWorker(file, null, { heapMegabytes }))
}

/**
 * Runs heavy work on a thread: sends data to a worker file and resolves with its result (see `serveWorker`).
 * `transfer`: buffers of the data that are transferred instead of copied.
 */
export function runInWorker<Result>(
  file: URL,
  data: unknown,
  transfer: readonly Transferable[] = [],
): Promise<Result> {
  const worker = acquireWorker(file)
  return new Promise((resolve, reject) => {
    const removeListeners = (): void =>
      void worker.off('message', handleMessage).off('error', handleError).off('exit', handleExit)
    const handleMessage = (result: Result): void => {
      removeListeners()
      release(file, worker)
      resolve(result)
    }
    const handleError = (error: Error): void => {
      removeListeners()
      reject(error)
    }
    const handleExit = (code: number): void => handleError(new Error(`A worker ended early (${code})`))
    worker.on('message', handleMessage).on('error', handleError).on('exit', handleExit)
    worker.postMessage(data, transfer)
  })
}
