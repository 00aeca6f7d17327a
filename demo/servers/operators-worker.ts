import { parentPort } from 'node:worker_threads'
import { readWorkerData } from '#server/jobs/start-worker.ts'
import type { CurbPlace } from '../curb/curb-place.ts'
import { CurbTraffic } from '../curb/curb-traffic.ts'
import { type CurbFeed, pushCurb } from '../curb/push-curb.ts'
import { liveModel } from '../live/live-model.ts'
import { loadCity } from '../load-city.ts'
import { pushFleet } from './push-fleet.ts'
import { type Credentials, type LiveCity, type Ports, serveOperators } from './serve-operators.ts'

/** What the worker is started with. `aheadMs`: how far the operators' clock is ahead of this machine's. */
export interface OperatorsGiven {
  city: LiveCity['city'] | null
  seed: number
  credentials: Credentials
  ports: Ports
  aheadMs: number
}

export interface PushAsked {
  url: string
  token: string
  from: number
}

/** The feeds of the curb and the places whose traffic they report. `url`: the CDS Events API of the region. */
export interface CurbPushAsked {
  url: string
  feeds: readonly CurbFeed[]
  places: readonly CurbPlace[]
  timezone: string
  from: number
}

// The thread of the demo's operators: their servers, and the one that pushes.
const { city: given, seed, credentials, ports, aheadMs } = readWorkerData<OperatorsGiven>()
const now = (): number => Math.round(Date.now() + aheadMs)
const stopping = new AbortController()
let opened: LiveCity | null = null
const open = (): LiveCity => {
  if (opened) return opened
  // Only what the operators ride on: the layers would stay in memory.
  const { streets, timezone } = given ?? loadCity()
  const city = { streets, timezone }
  return (opened = { city, model: liveModel(city, seed) })
}
const say = (line: string): void => parentPort?.postMessage({ say: line })

serveOperators(open, seed, credentials, ports, now).then(
  ({ urls, close }) => {
    parentPort?.on('message', (asked: { push: PushAsked } | { curb: CurbPushAsked } | 'close') => {
      if (asked !== 'close' && 'curb' in asked) {
        const { places, timezone, ...to } = asked.curb
        return void pushCurb(
          { traffic: new CurbTraffic(places, { seed, timezone }), now, say, ...to },
          stopping.signal,
        )
      }
      if (asked !== 'close')
        return void pushFleet(
          { model: open().model, operator: 'hopkite', now, say, ...asked.push },
          stopping.signal,
        )
      stopping.abort()
      // Ends this thread alone; timers of the model would keep it.
      void close().then(() => process.exit())
    })
    parentPort?.postMessage({ urls })
  },
  (error: Error) => {
    throw error
  },
)
