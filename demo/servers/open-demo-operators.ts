import { randomBytes } from 'node:crypto'
import { startWorker } from '#server/jobs/start-worker.ts'
import type { CurbPushAsked, OperatorsGiven, PushAsked } from './operators-worker.ts'
import { anyPorts, type Credentials, type LiveCity, type Ports, type Pulled } from './serve-operators.ts'

export interface OpeningOperators {
  /** The streets they ride on; null: those of the demo city, read in their own thread. */
  city: LiveCity['city'] | null
  seed: number
  /** Ms since 1970. */
  now: () => number
  ports?: Ports
  /** Told what goes wrong. */
  say?: (line: string) => void
}

/** The demo's operators, running. */
export interface DemoOperators {
  urls: Record<Pulled, string>
  credentials: Credentials
  /** Where each server is: what a guarded fetch must be allowed to reach. */
  origins: readonly string[]
  /** Has the operator that pushes push to an MDS Agency API, what happens from `from` (ms) on. */
  push(asked: PushAsked): void
  /** Has the sensors and delivery vehicles push to a CDS Events API. */
  pushCurb(asked: CurbPushAsked): void
  close(): Promise<void>
}

const megabytes = 1024
const closeMs = 300

const secret = (): string => randomBytes(24).toString('base64url')

/** Opens the servers of the demo's operators on loopback, on a thread of their own; it ends with the process. */
export async function openDemoOperators({
  city,
  seed,
  now,
  ports = anyPorts,
  say = () => undefined,
}: OpeningOperators): Promise<DemoOperators> {
  const credentials: Credentials = { zephyr: secret(), ternbikes: { id: 'port-meridian', secret: secret() } }
  const streets = city && { streets: city.streets, timezone: city.timezone }
  const given: OperatorsGiven = { city: streets, seed, credentials, ports, aheadMs: now() - Date.now() }
  const worker = startWorker(new URL('./operators-worker.ts', import.meta.url), given, megabytes)
  const urls = await new Promise<Record<Pulled, string>>((resolve, reject) => {
    worker.on('message', (told: { urls?: Record<Pulled, string>; say?: string }) => {
      if (told.urls) resolve(told.urls)
      if (told.say) say(told.say)
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The demo's operators ended early (${code})`)))
  })
  worker.removeAllListeners('error')
  worker.on('error', (error: Error) => say(`The demo's operators stopped: ${error.message}`))
  worker.unref()
  return {
    urls,
    credentials,
    origins: Object.values(urls),
    push: (asked) => worker.postMessage({ push: asked }),
    pushCurb: (asked) => worker.postMessage({ curb: asked }),
    close: async () => {
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage('close')
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, closeMs).unref())])
      await worker.terminate()
    },
  }
}
