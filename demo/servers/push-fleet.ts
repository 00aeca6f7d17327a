import { setTimeout as wait } from 'node:timers/promises'
import type { LiveModel } from '../live/live-model.ts'
import { mdsEvent, mdsPoint, mdsTrip, mdsVehicle } from './mds-records.ts'

/** What an agency's server said to a push. */
interface PushAnswer {
  status: number
  failures: readonly { error: string; error_description?: string }[]
}

const type = 'application/vnd.mds+json;version=2.0'
const timeoutMs = 60_000

/** Speaks to the MDS Agency 2.0 API at `url`. Throws where the server cannot be reached. */
function agencyClient(url: string, token: string, signal: AbortSignal) {
  const ask = (path: string, more: RequestInit = {}): Promise<Response> =>
    fetch(`${url.replace(/\/+$/, '')}/${path}`, {
      ...more,
      headers: { authorization: `Bearer ${token}`, 'content-type': type, accept: type },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
  return {
    /** Pushes a list of records. */
    async push(list: string, items: readonly unknown[]): Promise<PushAnswer> {
      const answer = await ask(list, { method: 'POST', body: JSON.stringify({ [list]: items }) })
      const body = (await answer.json().catch(() => null)) as { failures?: PushAnswer['failures'] } | null
      return { status: answer.status, failures: Array.isArray(body?.failures) ? body.failures : [] }
    },
    /** Whether a vehicle is registered there. */
    async knows(deviceId: string): Promise<boolean> {
      const { status } = await ask(`vehicles/${deviceId}`)
      if (status !== 200 && status !== 404) throw new Error(`vehicles: ${status}`)
      return status === 200
    },
  }
}

export interface Pushing {
  model: LiveModel
  operator: string
  /** The agency's API, as in https://city.example/mds/agency. */
  url: string
  token: string
  /** Ms: everything before is known there. */
  from: number
  now: () => number
  say: (line: string) => void
  /** Between two pushes, ms. */
  everyMs?: number
}

/** A push tells of at most so much time: what was missed comes piece by piece. */
const longestMs = 30 * 60_000
const mostItems = 2000
const usualEveryMs = 5000
const longestWaitMs = 5 * 60_000

/** Waits longer after each failure, up to five minutes. */
export const waitAfter = (failures: number, everyMs: number): number =>
  Math.min(longestWaitMs, everyMs * 2 ** Math.min(10, failures))

/** Pushes a fleet as it moves, from where the agency's server acknowledged the last push. Ends when stopped. */
export async function pushFleet(
  { model, operator, url, token, from, now, say, everyMs = usualEveryMs }: Pushing,
  signal: AbortSignal,
): Promise<void> {
  const agency = agencyClient(url, token, signal)
  const vehicles = model.vehicles(operator)
  /** Throws unless the agency took the items: one that is refused for itself does not hold up the others. */
  const push = async (list: string, items: readonly unknown[]): Promise<void> => {
    for (let at = 0; at < items.length; at += mostItems) {
      const { status, failures } = await agency.push(list, items.slice(at, at + mostItems))
      const isKnown = failures.length > 0 && failures.every(({ error }) => error === 'already_registered')
      if (isKnown) continue
      if (failures.some(({ error }) => error === 'unregistered')) throw new Unregistered()
      if (status >= 300) throw new Error(`${list}: ${status}${failures[0] ? `, ${failures[0].error}` : ''}`)
      if (failures.length)
        say(
          `${operator}: ${failures.length} of ${list} refused, ${failures[0]?.error_description ?? failures[0]?.error}`,
        )
    }
  }
  const lists = {
    events: (since: number, until: number) => model.events(operator, since, until).map(mdsEvent),
    telemetry: (since: number, until: number) => model.points(operator, since, until).map(mdsPoint),
    trips: (since: number, until: number) => model.trips(operator, since, until).map(mdsTrip),
  }
  /** Until when each list is acknowledged. */
  const done = { events: from, telemetry: from, trips: from }
  let [isRegistered, isForgotten, failures] = [false, false, 0]
  while (!signal.aborted) {
    const at = now()
    try {
      // One that the agency knows stands for all, until it says otherwise.
      if (!isRegistered && (isForgotten || !(vehicles[0] && (await agency.knows(vehicles[0].id)))))
        await push('vehicles', vehicles.map(mdsVehicle))
      ;[isRegistered, isForgotten] = [true, false]
      for (const list of ['events', 'telemetry', 'trips'] as const) {
        const until = Math.min(at, done[list] + longestMs)
        await push(list, lists[list](done[list], until))
        done[list] = until
      }
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Unregistered) [isRegistered, isForgotten] = [false, true]
      failures++
      say(
        `${operator}: the agency's server did not take a push (${error instanceof Error ? error.message : String(error)}); tried again`,
      )
    }
    const isBehind = failures === 0 && at - done.trips > longestMs / 2
    await wait(isBehind ? Math.min(everyMs, 300) : waitAfter(failures, everyMs), undefined, { signal }).catch(
      () => undefined,
    )
  }
}

/** The agency does not know a vehicle (any more): all are registered again. */
class Unregistered extends Error {
  override name = 'Unregistered'
  constructor() {
    super('a vehicle is not registered')
  }
}
