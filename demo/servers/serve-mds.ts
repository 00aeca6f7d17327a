import type { FleetSimulation } from '../live/fleet-simulation.ts'
import type { DemoResponse, DemoRequest, DemoServer } from './demo-server.ts'
import {
  readHour,
  readSpan,
  requestsOtherVersion,
  bearerToken,
  isResponse,
  isSame,
  mdsError,
  paginate,
} from './mds-responses.ts'
import { mdsEvent, mdsPoint, mdsStatus, mdsTrip, mdsVehicle } from './mds-records.ts'

const version = '2.0'
const hourMs = 3_600_000
const pageSize = 500
const pointsPerPage = 5000
/** Time to live of near-real-time responses, ms. */
const ttl = 60_000

const ok = (body: Record<string, unknown>): DemoResponse => ({
  status: 200,
  type: `application/vnd.mds+json;version=${version}`,
  body: { version, ...body },
})

/** Serves the MDS Provider 2.0 API of an operator. Requires its token. */
export function serveMds(simulation: FleetSimulation, operator: string, token: string): DemoServer {
  const freshness = (nowMs: number) => ({ last_updated: nowMs, ttl })
  const respondWithVehicle = (
    items: readonly Record<string, unknown>[],
    id: string,
    name: string,
    fields: Record<string, unknown>,
  ): DemoResponse => {
    const matching = items.filter((item) => item['device_id'] === id)
    return matching.length
      ? ok({ ...fields, [name]: matching })
      : mdsError(404, 'not_found', 'There is no such vehicle.', ['device_id'])
  }
  const respondForHour = (
    request: DemoRequest,
    nowMs: number,
    parameter: string,
    respond: (from: number, until: number) => DemoResponse,
  ): DemoResponse => {
    const hour = readHour(request, parameter, nowMs)
    return isResponse(hour) ? hour : respond(hour, hour + hourMs)
  }
  const paths: Record<string, (request: DemoRequest, nowMs: number) => DemoResponse> = {
    '/vehicles': (request, nowMs) => {
      const { items, links } = paginate(request, simulation.vehicles(operator), pageSize)
      return ok({ ...freshness(nowMs), vehicles: items.map(mdsVehicle), links })
    },
    '/vehicles/status': (request, nowMs) => {
      const { items, links } = paginate(request, simulation.statuses(operator, nowMs), pageSize)
      return ok({ ...freshness(nowMs), vehicles_status: items.map(mdsStatus), links })
    },
    '/trips': (request, nowMs) =>
      respondForHour(request, nowMs, 'end_time', (from, until) =>
        ok({ trips: simulation.trips(operator, from, until).map(mdsTrip) }),
      ),
    '/events/historical': (request, nowMs) =>
      respondForHour(request, nowMs, 'event_time', (from, until) =>
        ok({ events: simulation.events(operator, from, until).map(mdsEvent) }),
      ),
    '/telemetry': (request, nowMs) =>
      respondForHour(request, nowMs, 'telemetry_time', (from, until) => {
        const { items, links } = paginate(request, simulation.points(operator, from, until), pointsPerPage)
        return ok({ telemetry: items.map(mdsPoint), links })
      }),
    '/events/recent': (request, nowMs) => {
      const span = readSpan(request, nowMs)
      return isResponse(span)
        ? span
        : ok({
            ...freshness(nowMs),
            events: simulation.events(operator, span.from, span.until).map(mdsEvent),
            links: { first: null, last: null, prev: null, next: null },
          })
    },
    '/stops': (_request, nowMs) => ok({ ...freshness(nowMs), stops: [] }),
  }
  return (request, nowMs) => {
    if (!isSame(bearerToken(request), token))
      return {
        ...mdsError(401, 'unauthorized', 'The token is missing or invalid.'),
        headers: { 'www-authenticate': 'Bearer' },
      }
    if (requestsOtherVersion(request, version))
      return mdsError(406, 'unsupported_version', `Only MDS ${version} is supported.`, [version])
    if (request.method !== 'GET') return mdsError(405, 'not_allowed', 'Only GET is allowed.')
    const path = paths[request.path]
    if (path) return path(request, nowMs)
    const [, list, id = ''] = /^\/(vehicles|vehicles\/status)\/([0-9a-f-]{36})$/.exec(request.path) ?? []
    if (list === 'vehicles')
      return respondWithVehicle(
        simulation.vehicles(operator).map(mdsVehicle),
        id,
        'vehicles',
        freshness(nowMs),
      )
    if (list)
      return respondWithVehicle(
        simulation.statuses(operator, nowMs).map(mdsStatus),
        id,
        'vehicles_status',
        freshness(nowMs),
      )
    return mdsError(404, 'not_found', `There is nothing at ${request.path}.`)
  }
}
