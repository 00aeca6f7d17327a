import { randomBytes } from 'node:crypto'
import { startWorker } from '#server/jobs/start-worker.ts'
import type { CurbPushTask, OperatorsWorkerData, FleetPushTask } from './operators-worker.ts'
import {
  anyPorts,
  type Credentials,
  type LiveCity,
  type Ports,
  type PulledOperator,
} from './serve-operators.ts'

export interface OpenOperatorsOptions {
  /** The streets; null: the streets of the demo city, which the worker loads. */
  city: LiveCity['city'] | null
  seed: number
  /** Milliseconds since 1970. */
  now: () => number
  ports?: Ports
  /** Receives messages about failures. */
  printLine?: (line: string) => void
}

/** The running operators of the demo. */
export interface DemoOperators {
  urls: Record<PulledOperator, string>
  credentials: Credentials
  /** Origins of the servers, which must be allowed as addresses of feeds. */
  origins: readonly string[]
  /** Starts to push a fleet to an MDS Agency API, with events from `fromMs` on. */
  push(task: FleetPushTask): void
  /** Starts to push the events of sensors and delivery vehicles to a CDS Events API. */
  pushCurb(task: CurbPushTask): void
  close(): Promise<void>
}

/** Low limits of the thread's heap, so that V8 collects garbage early; 25 MB are in use. */
const [heapMegabytes, youngMegabytes] = [256, 12]
/** Time for the servers to close before the thread is terminated. */
const closeMs = 300

const makeSecret = (): string => randomBytes(24).toString('base64url')

/** Opens the servers of the demo's operators on loopback, in a worker thread that ends with the process. */
export async function openDemoOperators({
  city,
  seed,
  now,
  ports = anyPorts,
  printLine = () => undefined,
}: OpenOperatorsOptions): Promise<DemoOperators> {
  const credentials: Credentials = {
    zephyr: makeSecret(),
    ternbikes: { id: 'port-meridian', secret: makeSecret() },
  }
  const streets = city && { streets: city.streets, timezone: city.timezone }
  const workerData: OperatorsWorkerData = {
    city: streets,
    seed,
    credentials,
    ports,
    aheadMs: now() - Date.now(),
  }
  const file = new URL('./operators-worker.ts', import.meta.url)
  const worker = startWorker(file, workerData, { heapMegabytes, youngMegabytes })
  const urls = await new Promise<Record<PulledOperator, string>>((resolve, reject) => {
    worker.on('message', (message: { urls?: Record<PulledOperator, string>; line?: string }) => {
      if (message.urls) resolve(message.urls)
      if (message.line) printLine(message.line)
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The demo's operators ended early (${code})`)))
  })
  worker.removeAllListeners('error')
  worker.on('error', (error: Error) => printLine(`The demo's operators stopped: ${error.message}`))
  worker.unref()
  return {
    urls,
    credentials,
    origins: Object.values(urls),
    push: (task) => worker.postMessage({ push: task }),
    pushCurb: (task) => worker.postMessage({ curb: task }),
    close: async () => {
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage('close')
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, closeMs).unref())])
      await worker.terminate()
    },
  }
}
