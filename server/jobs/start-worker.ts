import { parentPort, type Transferable, Worker, workerData } from 'node:worker_threads'

/** Starts a TypeScript file on a thread of its own, with data. `transfer`: buffers of the data that are handed over, not copied. */
export const startWorker = (
  file: URL,
  data: unknown,
  megabytes: number,
  transfer: readonly Transferable[] = [],
): Worker =>
  new Worker(new URL('./worker.mjs', import.meta.url), {
    workerData: { file: file.href, data },
    transferList: [...transfer],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  })

/** What the starter gave; within the worker. */
export const readWorkerData = <Data>(): Data => (workerData as { data: Data }).data

/** Answers all data that `runInWorker` gives to this file; an error ends the thread. `transferOf`: buffers of the answer that are handed over, not copied. */
export function answerWork<Data, Answer>(
  work: (data: Data) => Answer,
  transferOf: (answer: Answer) => Transferable[] = () => [],
): void {
  parentPort?.on('message', (data: Data) => {
    const answer = work(data)
    parentPort?.postMessage(answer, transferOf(answer))
  })
}
