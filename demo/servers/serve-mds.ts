import type { LiveModel } from '../live/live-model.ts'
import type { DemoAnswer, DemoAsk, DemoServer } from './answer.ts'
import {
  askedHour,
  askedSpan,
  asksForOther,
  bearerOf,
  isAnswer,
  isSame,
  mdsError,
  pageOf,
} from './mds-answers.ts'
import { mdsEvent, mdsPoint, mdsStatus, mdsTrip, mdsVehicle } from './mds-records.ts'

const version = '2.0'
const hourMs = 3_600_000
const pageSize = 500
const pointsPerPage = 5000
/** Near-real-time answers are good for so long, ms. */
const ttl = 60_000

const answer = (body: Record<string, unknown>): DemoAnswer => ({
  status: 200,
  type: `application/vnd.mds+json;version=${version}`,
  body: { version, ...body },
})

/** The MDS Provider 2.0 API of an operator, for who has its token. */
export function serveMds(model: LiveModel, operator: string, token: string): DemoServer {
  const current = (at: number) => ({ last_updated: at, ttl })
  const one = (
    items: readonly Record<string, unknown>[],
    id: string,
    name: string,
    more: Record<string, unknown>,
  ): DemoAnswer => {
    const found = items.filter((each) => each['device_id'] === id)
    return found.length
      ? answer({ ...more, [name]: found })
      : mdsError(404, 'not_found', 'There is no such vehicle.', ['device_id'])
  }
  const ofHour = (
    ask: DemoAsk,
    at: number,
    parameter: string,
    tell: (from: number, until: number) => DemoAnswer,
  ): DemoAnswer => {
    const hour = askedHour(ask, parameter, at)
    return isAnswer(hour) ? hour : tell(hour, hour + hourMs)
  }
  const paths: Record<string, (ask: DemoAsk, at: number) => DemoAnswer> = {
    '/vehicles': (ask, at) => {
      const { items, links } = pageOf(ask, model.vehicles(operator), pageSize)
      return answer({ ...current(at), vehicles: items.map(mdsVehicle), links })
    },
    '/vehicles/status': (ask, at) => {
      const { items, links } = pageOf(ask, model.statuses(operator, at), pageSize)
      return answer({ ...current(at), vehicles_status: items.map(mdsStatus), links })
    },
    '/trips': (ask, at) =>
      ofHour(ask, at, 'end_time', (from, until) =>
        answer({ trips: model.trips(operator, from, until).map(mdsTrip) }),
      ),
    '/events/historical': (ask, at) =>
      ofHour(ask, at, 'event_time', (from, until) =>
        answer({ events: model.events(operator, from, until).map(mdsEvent) }),
      ),
    '/telemetry': (ask, at) =>
      ofHour(ask, at, 'telemetry_time', (from, until) => {
        const { items, links } = pageOf(ask, model.points(operator, from, until), pointsPerPage)
        return answer({ telemetry: items.map(mdsPoint), links })
      }),
    '/events/recent': (ask, at) => {
      const span = askedSpan(ask, at)
      return isAnswer(span)
        ? span
        : answer({
            ...current(at),
            events: model.events(operator, span.from, span.until).map(mdsEvent),
            links: { first: null, last: null, prev: null, next: null },
          })
    },
    '/stops': (_ask, at) => answer({ ...current(at), stops: [] }),
  }
  return (ask, at) => {
    if (!isSame(bearerOf(ask), token))
      return {
        ...mdsError(401, 'unauthorized', 'The token is missing or wrong.'),
        headers: { 'www-authenticate': 'Bearer' },
      }
    if (asksForOther(ask, version))
      return mdsError(406, 'unsupported_version', `Only MDS ${version} is spoken here.`, [version])
    if (ask.method !== 'GET') return mdsError(405, 'not_allowed', 'Only GET is served here.')
    const path = paths[ask.path]
    if (path) return path(ask, at)
    const [, list, id = ''] = /^\/(vehicles|vehicles\/status)\/([0-9a-f-]{36})$/.exec(ask.path) ?? []
    if (list === 'vehicles') return one(model.vehicles(operator).map(mdsVehicle), id, 'vehicles', current(at))
    if (list) return one(model.statuses(operator, at).map(mdsStatus), id, 'vehicles_status', current(at))
    return mdsError(404, 'not_found', `There is nothing at ${ask.path}.`)
  }
}
