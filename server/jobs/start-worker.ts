import { parentPort, type Transferable, Worker, workerData } from 'node:worker_threads'

/** Folder of the built server, put in by the build; undefined when the sources run. */
declare const BUILT_SERVER: string | undefined

const sources = new URL('../../', import.meta.url).href
const loader = new URL('./worker.mjs', import.meta.url)

/** Where a worker of the built server is: it needs no TypeScript loader, which takes a second and some 100 MB per thread. */
const builtFile = (file: URL): URL | null =>
  typeof BUILT_SERVER === 'undefined'
    ? null
    : new URL(file.href.slice(sources.length).replace(/\.ts$/, '.js'), BUILT_SERVER)

/** Starts a worker file (`…-worker.ts`) on a thread of its own, with data. `transfer`: buffers of the data that are moved, not copied. */
export const startWorker = (
  file: URL,
  data: unknown,
  megabytes: number,
  transfer: readonly Transferable[] = [],
): Worker =>
  new Worker(builtFile(file) ?? loader, {
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
