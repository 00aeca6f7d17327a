import { Worker, workerData } from 'node:worker_threads'

/** Starts a TypeScript file on a thread of its own, with data. */
export const startWorker = (file: URL, data: unknown, megabytes: number): Worker =>
  new Worker(new URL('./worker.mjs', import.meta.url), { workerData: { file: file.href, data }, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: megabytes } })

/** What the starter gave; within the worker. */
export const givenData = <Data>(): Data => (workerData as { data: Data }).data
