import { parentPort, type Transferable, Worker, workerData } from 'node:worker_threads'

/** The folder of the built server, defined by the build; undefined when the sources run. */
declare const BUILT_SERVER: string | undefined

const sourcesUrl = new URL('../../', import.meta.url).href
const loaderUrl = new URL('./worker.mjs', import.meta.url)

/**
 * Finds a worker file of the built server; null when the sources run. It needs no TypeScript loader, which
 * takes a second and about 100 MB per thread.
 */
const findBuiltFile = (file: URL): URL | null =>
  typeof BUILT_SERVER === 'undefined'
    ? null
    : new URL(file.href.slice(sourcesUrl.length).replace(/\.ts$/, '.js'), BUILT_SERVER)

interface ThreadOptions {
  heapMegabytes: number
  /** Buffers of the data that are moved, not copied. */
  transfer?: readonly Transferable[]
  /** Limits the space of new objects, which otherwise takes up to 48 MB. */
  youngMegabytes?: number
}

/** Starts a worker file (`…-worker.ts`) on a thread of its own, with data. */
export const startWorker = (
  file: URL,
  data: unknown,
  { heapMegabytes, transfer = [], youngMegabytes }: ThreadOptions,
): Worker =>
  new Worker(findBuiltFile(file) ?? loaderUrl, {
    workerData: { file: file.href, data },
    transferList: [...transfer],
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: heapMegabytes,
      ...(youngMegabytes === undefined ? {} : { maxYoungGenerationSizeMb: youngMegabytes }),
    },
  })

/** Reads the data of `startWorker` within the worker. */
export const readWorkerData = <Data>(): Data => (workerData as { data: Data }).data

/**
 * Handles the data that `runInWorker` sends to this worker file; an error ends the thread. `getTransfer`:
 * buffers of the result that are transferred instead of copied.
 */
export function serveWorker<Data, Result>(
  work: (data: Data) => Result | Promise<Result>,
  getTransfer: (result: Result) => Transferable[] = () => [],
): void {
  parentPort?.on('message', async (data: Data) => {
    const result = await work(data)
    parentPort?.postMessage(result, getTransfer(result))
  })
}
