import { parentPort } from 'node:worker_threads'
import { readWorkerData } from '#server/jobs/start-worker.ts'
import type { CurbPlace } from '../curb/curb-place.ts'
import { CurbTraffic } from '../curb/curb-traffic.ts'
import { type CurbFeed, pushCurb } from '../curb/push-curb.ts'
import { FleetSimulation } from '../live/fleet-simulation.ts'
import { loadStreets } from '../load-city.ts'
import { pushFleet } from './push-fleet.ts'
import { type Credentials, type LiveCity, type Ports, serveOperators } from './serve-operators.ts'

/** Start data. `aheadMs` is by how much the operators' clock is ahead of this machine's. */
export interface OperatorsWorkerData {
  city: LiveCity['city'] | null
  seed: number
  credentials: Credentials
  ports: Ports
  aheadMs: number
}

export interface FleetPushTask {
  url: string
  token: string
  fromMs: number
}

/** The feeds of the curb and the places that they report. `url` is the CDS Events API of the region. */
export interface CurbPushTask {
  url: string
  feeds: readonly CurbFeed[]
  places: readonly CurbPlace[]
  timezone: string
  fromMs: number
}

// The worker thread of the demo's operators: their servers and pushes.
const { city: passedCity, seed, credentials, ports, aheadMs } = readWorkerData<OperatorsWorkerData>()
const now = (): number => Math.round(Date.now() + aheadMs)
const stopping = new AbortController()
let opened: LiveCity | null = null
const open = (): LiveCity => {
  if (opened) return opened
  const city = passedCity ?? loadStreets()
  return (opened = { city, simulation: new FleetSimulation(city, seed) })
}
const printLine = (line: string): void => parentPort?.postMessage({ line })

serveOperators(open, { seed, credentials, ports, now }).then(
  ({ urls, close }) => {
    parentPort?.on('message', (message: { push: FleetPushTask } | { curb: CurbPushTask } | 'close') => {
      if (message !== 'close' && 'curb' in message) {
        const { places, timezone, ...target } = message.curb
        return void pushCurb(
          { traffic: new CurbTraffic(places, { seed, timezone }), now, printLine, ...target },
          stopping.signal,
        )
      }
      if (message !== 'close')
        return void pushFleet(
          { simulation: open().simulation, operator: 'hopkite', now, printLine, ...message.push },
          stopping.signal,
        )
      stopping.abort()
      // In a worker, exit ends only this thread, which timers would otherwise keep alive.
      void close().then(() => process.exit())
    })
    parentPort?.postMessage({ urls })
  },
  (error: Error) => {
    throw error
  },
)
