import { hourMs } from '#contract/period.ts'
import type { FleetSimulation } from '../live/fleet-simulation.ts'
import type { DemoResponse, DemoRequest, DemoServer } from './demo-server.ts'
import {
  readHour,
  readSpan,
  requestsOtherVersion,
  readBearerToken,
  isResponse,
  isSame,
  mdsError,
  paginate,
} from './mds-responses.ts'
import { toMdsEvent, toMdsPoint, toMdsStatus, toMdsTrip, toMdsVehicle } from './mds-records.ts'

const version = '2.0'
const pageSize = 500
const pointsPerPage = 5000
/** Time to live of near-real-time responses, ms. */
const ttl = 60_000

const ok = (body: Record<string, unknown>): DemoResponse => ({
  status: 200,
  type: `application/vnd.mds+json;version=${version}`,
  body: { version, ...body },
})

type Respond = (request: DemoRequest, nowMs: number) => DemoResponse

/** Serves the MDS Provider 2.0 API of an operator. Requires its token. */
export function serveMds(simulation: FleetSimulation, operator: string, token: string): DemoServer {
  const lists = serveLists(simulation, operator)
  return (request, nowMs) => {
    if (!isSame(readBearerToken(request), token))
      return {
        ...mdsError(401, 'unauthorized', 'The token is missing or invalid.'),
        headers: { 'www-authenticate': 'Bearer' },
      }
    if (requestsOtherVersion(request, version))
      return mdsError(406, 'unsupported_version', `Only MDS ${version} is supported.`, [version])
    if (request.method !== 'GET') return mdsError(405, 'not_allowed', 'Only GET is allowed.')
    const respond = lists[request.path]
    if (respond) return respond(request, nowMs)
    const [, list, id = ''] = /^\/(vehicles|vehicles\/status)\/([0-9a-f-]{36})$/.exec(request.path) ?? []
    if (list === 'vehicles')
      return findVehicle('vehicles', simulation.vehicles(operator).map(toMdsVehicle), { id, nowMs })
    if (list)
      return findVehicle('vehicles_status', simulation.statuses(operator, nowMs).map(toMdsStatus), {
        id,
        nowMs,
      })
    return mdsError(404, 'not_found', `There is nothing at ${request.path}.`)
  }
}

const serveLists = (simulation: FleetSimulation, operator: string): Record<string, Respond> => ({
  '/vehicles': (request, nowMs) => {
    const { items, links } = paginate(request, simulation.vehicles(operator), pageSize)
    return ok({ ...freshness(nowMs), vehicles: items.map(toMdsVehicle), links })
  },
  '/vehicles/status': (request, nowMs) => {
    const { items, links } = paginate(request, simulation.statuses(operator, nowMs), pageSize)
    return ok({ ...freshness(nowMs), vehicles_status: items.map(toMdsStatus), links })
  },
  '/trips': respondForHour('end_time', (from, until) =>
    ok({ trips: simulation.trips(operator, from, until).map(toMdsTrip) }),
  ),
  '/events/historical': respondForHour('event_time', (from, until) =>
    ok({ events: simulation.events(operator, from, until).map(toMdsEvent) }),
  ),
  '/telemetry': respondForHour('telemetry_time', (from, until, request) => {
    const { items, links } = paginate(request, simulation.points(operator, from, until), pointsPerPage)
    return ok({ telemetry: items.map(toMdsPoint), links })
  }),
  '/events/recent': (request, nowMs) => {
    const span = readSpan(request, nowMs)
    return isResponse(span)
      ? span
      : ok({
          ...freshness(nowMs),
          events: simulation.events(operator, span.from, span.until).map(toMdsEvent),
          links: { first: null, last: null, prev: null, next: null },
        })
  },
  '/stops': (_request, nowMs) => ok({ ...freshness(nowMs), stops: [] }),
})

const freshness = (nowMs: number) => ({ last_updated: nowMs, ttl })

const respondForHour =
  (
    parameter: string,
    respond: (from: number, until: number, request: DemoRequest) => DemoResponse,
  ): Respond =>
  (request, nowMs) => {
    const hour = readHour(request, parameter, nowMs)
    return isResponse(hour) ? hour : respond(hour, hour + hourMs, request)
  }

function findVehicle(
  name: string,
  items: readonly Record<string, unknown>[],
  { id, nowMs }: { id: string; nowMs: number },
): DemoResponse {
  const matching = items.filter((item) => item['device_id'] === id)
  return matching.length
    ? ok({ ...freshness(nowMs), [name]: matching })
    : mdsError(404, 'not_found', 'There is no such vehicle.', ['device_id'])
}
