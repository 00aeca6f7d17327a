import { setTimeout as wait } from 'node:timers/promises'
import { minuteMs } from '#contract/period.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { FleetSimulation } from '../live/fleet-simulation.ts'
import { toMdsEvent, toMdsPoint, toMdsTrip, toMdsVehicle } from './mds-records.ts'

/** The response of an agency to a push. */
interface PushResult {
  status: number
  failures: readonly { error: string; error_description?: string }[]
}

const mediaType = 'application/vnd.mds+json;version=2.0'

/** Creates a client of the MDS Agency 2.0 API at `url`. Throws if the server cannot be reached. */
function createAgencyClient(url: string, token: string, signal: AbortSignal) {
  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url.replace(/\/+$/, '')}/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': mediaType, accept: mediaType },
      signal: AbortSignal.any([signal, AbortSignal.timeout(minuteMs)]),
    })
  return {
    /** Pushes a list of records. */
    async push(list: string, items: readonly unknown[]): Promise<PushResult> {
      const response = await send(list, { method: 'POST', body: JSON.stringify({ [list]: items }) })
      const body = (await response.json().catch(() => null)) as { failures?: PushResult['failures'] } | null
      return { status: response.status, failures: Array.isArray(body?.failures) ? body.failures : [] }
    },
    /** Whether a vehicle is registered at the agency. */
    async knows(deviceId: string): Promise<boolean> {
      const { status } = await send(`vehicles/${deviceId}`)
      if (status !== 200 && status !== 404) throw new Error(`vehicles: ${status}`)
      return status === 200
    },
  }
}

export interface PushFleetOptions {
  simulation: FleetSimulation
  operator: string
  /** Address of the agency's API, such as https://city.example/mds/agency. */
  url: string
  token: string
  /** Time from which events are pushed. */
  fromMs: number
  now: () => number
  printLine: (line: string) => void
  /** Interval between two pushes. */
  intervalMs?: number
}

/** Maximum time that one push covers; longer gaps are caught up in steps. */
const maxSpanMs = 30 * 60_000
const maxItems = 2000
const defaultIntervalMs = 5000
const maxWaitMs = 5 * 60_000

/** Returns the time (ms) to wait: twice as long after each failure, up to five minutes. */
export const waitAfter = (failures: number, intervalMs: number): number =>
  Math.min(maxWaitMs, intervalMs * 2 ** Math.min(10, failures))

/** Pushes records as they occur, each list from its last acknowledged push on, until `signal` aborts. */
export async function pushFleet(
  {
    simulation,
    operator,
    url,
    token,
    fromMs,
    now,
    printLine,
    intervalMs = defaultIntervalMs,
  }: PushFleetOptions,
  signal: AbortSignal,
): Promise<void> {
  const agency = createAgencyClient(url, token, signal)
  const vehicles = simulation.vehicles(operator)
  /** Throws unless the agency accepted the push. Single rejected items are only logged. */
  const push = async (list: string, items: readonly unknown[]): Promise<void> => {
    for (let offset = 0; offset < items.length; offset += maxItems) {
      const { status, failures } = await agency.push(list, items.slice(offset, offset + maxItems))
      const areRegistered =
        failures.length > 0 && failures.every(({ error }) => error === 'already_registered')
      if (areRegistered) continue
      if (failures.some(({ error }) => error === 'unregistered')) throw new Unregistered()
      if (status >= 300) throw new Error(`${list}: ${status}${failures[0] ? `, ${failures[0].error}` : ''}`)
      if (failures.length)
        printLine(
          `${operator}: ${failures.length} of ${list} rejected: ${failures[0]?.error_description ?? failures[0]?.error}`,
        )
    }
  }
  const lists = {
    events: (since: number, until: number) => simulation.events(operator, since, until).map(toMdsEvent),
    telemetry: (since: number, until: number) => simulation.points(operator, since, until).map(toMdsPoint),
    trips: (since: number, until: number) => simulation.trips(operator, since, until).map(toMdsTrip),
  }
  /** Time (ms) up to which each list is acknowledged. */
  const acknowledged = { events: fromMs, telemetry: fromMs, trips: fromMs }
  // `isForgotten`: the agency rejected a vehicle as unregistered, so that all must be registered again.
  let [isRegistered, isForgotten, failures] = [false, false, 0]
  while (!signal.aborted) {
    const nowMs = now()
    try {
      // If one vehicle is registered, all are assumed to be, until the agency rejects one.
      if (!isRegistered && (isForgotten || !(vehicles[0] && (await agency.knows(vehicles[0].id)))))
        await push('vehicles', vehicles.map(toMdsVehicle))
      ;[isRegistered, isForgotten] = [true, false]
      for (const list of ['events', 'telemetry', 'trips'] as const) {
        const until = Math.min(nowMs, acknowledged[list] + maxSpanMs)
        await push(list, lists[list](acknowledged[list], until))
        acknowledged[list] = until
      }
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Unregistered) [isRegistered, isForgotten] = [false, true]
      failures++
      printLine(`${operator}: a push failed (${getErrorMessage(error)}); retrying`)
    }
    const isBehind = failures === 0 && nowMs - acknowledged.trips > maxSpanMs / 2
    await wait(isBehind ? Math.min(intervalMs, 300) : waitAfter(failures, intervalMs), undefined, {
      signal,
    }).catch(() => undefined)
  }
}

/** Thrown if a vehicle is not registered at the agency, so that all are registered again. */
class Unregistered extends Error {
  override name = 'Unregistered'
  constructor() {
    super('a vehicle is not registered')
  }
}
