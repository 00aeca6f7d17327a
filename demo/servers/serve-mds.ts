import type { LiveModel } from '../live/live-model.ts'
import type { DemoResponse, DemoRequest, DemoServer } from './demo-server.ts'
import {
  readHour,
  readSpan,
  requestsOtherVersion,
  bearerToken,
  isResponse,
  isSame,
  mdsError,
  pageOf,
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

/** The MDS Provider 2.0 API of an operator. Requires its token. */
export function serveMds(model: LiveModel, operator: string, token: string): DemoServer {
  const current = (at: number) => ({ last_updated: at, ttl })
  const one = (
    items: readonly Record<string, unknown>[],
    id: string,
    name: string,
    more: Record<string, unknown>,
  ): DemoResponse => {
    const found = items.filter((each) => each['device_id'] === id)
    return found.length
      ? ok({ ...more, [name]: found })
      : mdsError(404, 'not_found', 'There is no such vehicle.', ['device_id'])
  }
  const ofHour = (
    request: DemoRequest,
    at: number,
    parameter: string,
    respond: (from: number, until: number) => DemoResponse,
  ): DemoResponse => {
    const hour = readHour(request, parameter, at)
    return isResponse(hour) ? hour : respond(hour, hour + hourMs)
  }
  const paths: Record<string, (request: DemoRequest, at: number) => DemoResponse> = {
    '/vehicles': (request, at) => {
      const { items, links } = pageOf(request, model.vehicles(operator), pageSize)
      return ok({ ...current(at), vehicles: items.map(mdsVehicle), links })
    },
    '/vehicles/status': (request, at) => {
      const { items, links } = pageOf(request, model.statuses(operator, at), pageSize)
      return ok({ ...current(at), vehicles_status: items.map(mdsStatus), links })
    },
    '/trips': (request, at) =>
      ofHour(request, at, 'end_time', (from, until) =>
        ok({ trips: model.trips(operator, from, until).map(mdsTrip) }),
      ),
    '/events/historical': (request, at) =>
      ofHour(request, at, 'event_time', (from, until) =>
        ok({ events: model.events(operator, from, until).map(mdsEvent) }),
      ),
    '/telemetry': (request, at) =>
      ofHour(request, at, 'telemetry_time', (from, until) => {
        const { items, links } = pageOf(request, model.points(operator, from, until), pointsPerPage)
        return ok({ telemetry: items.map(mdsPoint), links })
      }),
    '/events/recent': (request, at) => {
      const span = readSpan(request, at)
      return isResponse(span)
        ? span
        : ok({
            ...current(at),
            events: model.events(operator, span.from, span.until).map(mdsEvent),
            links: { first: null, last: null, prev: null, next: null },
          })
    },
    '/stops': (_request, at) => ok({ ...current(at), stops: [] }),
  }
  return (request, at) => {
    if (!isSame(bearerToken(request), token))
      return {
        ...mdsError(401, 'unauthorized', 'The token is missing or invalid.'),
        headers: { 'www-authenticate': 'Bearer' },
      }
    if (requestsOtherVersion(request, version))
      return mdsError(406, 'unsupported_version', `Only MDS ${version} is supported.`, [version])
    if (request.method !== 'GET') return mdsError(405, 'not_allowed', 'Only GET is allowed.')
    const path = paths[request.path]
    if (path) return path(request, at)
    const [, list, id = ''] = /^\/(vehicles|vehicles\/status)\/([0-9a-f-]{36})$/.exec(request.path) ?? []
    if (list === 'vehicles') return one(model.vehicles(operator).map(mdsVehicle), id, 'vehicles', current(at))
    if (list) return one(model.statuses(operator, at).map(mdsStatus), id, 'vehicles_status', current(at))
    return mdsError(404, 'not_found', `There is nothing at ${request.path}.`)
  }
}
