import { type Transferable, Worker, workerData } from 'node:worker_threads'

/** Starts a TypeScript file on a thread of its own, with data. `transfer`: buffers of the data that are handed over, not copied. */
export const startWorker = (file: URL, data: unknown, megabytes: number, transfer: readonly Transferable[] = []): Worker =>
  new Worker(new URL('./worker.mjs', import.meta.url), { workerData: { file: file.href, data }, transferList: [...transfer], execArgv: [], resourceLimits: { maxOldGenerationSizeMb: megabytes } })

/** What the starter gave; within the worker. */
export const givenData = <Data>(): Data => (workerData as { data: Data }).data
