import { parentPort, type Transferable, Worker, workerData } from 'node:worker_threads'

/**
 * Starts a TypeScript file on a thread with data. `transfer`: buffers of the data that are transferred
 * instead of copied.
 */
export const startWorker = (
  file: URL,
  data: unknown,
  heapMegabytes: number,
  transfer: readonly Transferable[] = [],
): Worker =>
  new Worker(new URL('./worker.mjs', import.meta.url), {
    workerData: { file: file.href, data },
    transferList: [...transfer],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  })

/** The data of `startWorker`, read within the worker. */
export const readWorkerData = <Data>(): Data => (workerData as { data: Data }).data

/**
 * Handles the data that `runInWorker` sends to this worker file; an error ends the thread. `transferOf`:
 * buffers of the result that are transferred instead of copied.
 */
export function answerWork<Data, Result>(
  work: (data: Data) => Result,
  transferOf: (result: Result) => Transferable[] = () => [],
): void {
  parentPort?.on('message', (data: Data) => {
    const result = work(data)
    parentPort?.postMessage(result, transferOf(result))
  })
}
