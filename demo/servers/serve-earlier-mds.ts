import { createHmac } from 'node:crypto'
import { hourMs } from '#contract/period.ts'
import type { LiveEvent } from '../live/live-event.ts'
import type { FleetSimulation } from '../live/fleet-simulation.ts'
import type { DemoResponse, DemoRequest, DemoServer } from './demo-server.ts'
import { toEarlierTrip, toEarlierVehicle, toStatusChange } from './earlier-records.ts'
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
import type { FeedFaults } from './feed-faults.ts'

/** A client of the token endpoint. */
export interface OAuthClient {
  id: string
  secret: string
}

const version = '1.2'
/** Time to live of near-real-time responses, ms. */
const ttl = 60_000
const pageSize = 500
const tokenSeconds = 3600

const ok = (data: Record<string, unknown>, more: Record<string, unknown> = {}): DemoResponse => ({
  status: 200,
  type: `application/vnd.mds+json;version=${version}`,
  body: { version: `${version}.0`, ...more, data },
})

/** Makes a token from its expiry time (ms), signed with the client's secret instead of being stored. */
const signToken = ({ secret }: OAuthClient, until: number): string =>
  `${until}.${createHmac('sha256', secret).update(String(until)).digest('base64url')}`

function issueToken(
  client: OAuthClient,
  { headers, body, method }: DemoRequest,
  nowMs: number,
): DemoResponse {
  const form = new URLSearchParams(body)
  const basic = /^Basic +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1]
  const [id = '', secret = ''] = basic
    ? Buffer.from(basic, 'base64')
        .toString()
        .split(':')
        .map((parameter) => new URLSearchParams(`v=${parameter}`).get('v') ?? '')
    : [form.get('client_id') ?? '', form.get('client_secret') ?? '']
  if (method !== 'POST') return { status: 405 }
  if (form.get('grant_type') !== 'client_credentials')
    return { status: 400, body: { error: 'unsupported_grant_type' } }
  if (!isSame(`${id} ${secret}`, `${client.id} ${client.secret}`))
    return { status: 401, body: { error: 'invalid_client' } }
  return {
    status: 200,
    body: {
      access_token: signToken(client, nowMs + tokenSeconds * 1000),
      token_type: 'Bearer',
      expires_in: tokenSeconds,
    },
    headers: { 'cache-control': 'no-store' },
  }
}

function isAuthorized(client: OAuthClient, request: DemoRequest, nowMs: number): boolean {
  const token = readBearerToken(request)
  const until = Number(token.split('.')[0])
  return until > nowMs && isSame(token, signToken(client, until))
}

/** Serves the MDS Provider 1.2 API of an operator with faulty feeds. Requires a token from /oauth/token. */
export function serveEarlierMds(
  simulation: FleetSimulation,
  operator: string,
  client: OAuthClient,
  faults: FeedFaults,
): DemoServer {
  const changes = (from: number, until: number): Record<string, unknown>[] => {
    const makeRecords = (event: LiveEvent): Record<string, unknown>[] => {
      const { kind, number } = event
      if (faults.isMissing(kind, number)) return []
      const record = toStatusChange(event, faults)
      return faults.isDuplicate(kind, number) ? [record, record] : [record]
    }
    return simulation.events(operator, from, until).flatMap(makeRecords)
  }
  const respondForHour = (
    request: DemoRequest,
    nowMs: number,
    parameter: string,
    respond: (from: number, until: number) => DemoResponse,
  ): DemoResponse => {
    const hour = readHour(request, parameter, nowMs, faults.lateMs)
    return isResponse(hour) ? hour : respond(hour, hour + hourMs)
  }
  const paths: Record<string, (request: DemoRequest, nowMs: number) => DemoResponse> = {
    '/vehicles': (request, nowMs) => {
      const { items, links } = paginate(request, simulation.statuses(operator, nowMs), pageSize)
      return ok(
        { vehicles: items.map((status) => toEarlierVehicle(status, faults)) },
        { last_updated: nowMs, ttl, links },
      )
    },
    '/trips': (request, nowMs) =>
      respondForHour(request, nowMs, 'end_time', (from, until) =>
        ok({
          trips: simulation
            .trips(operator, from, until)
            .map((ended) => toEarlierTrip(ended, simulation.route(ended), faults)),
        }),
      ),
    '/status_changes': (request, nowMs) =>
      respondForHour(request, nowMs, 'event_time', (from, until) =>
        ok({ status_changes: changes(from, until) }),
      ),
    '/events': (request, nowMs) => {
      const span = readSpan(request, nowMs)
      return isResponse(span)
        ? span
        : ok(
            { status_changes: changes(span.from, span.until) },
            { links: { first: null, last: null, prev: null, next: null } },
          )
    },
    '/stops': (_request, nowMs) => ok({ stops: [] }, { last_updated: nowMs, ttl }),
  }
  return (request, nowMs) => {
    if (request.path === '/oauth/token') return issueToken(client, request, nowMs)
    if (!isAuthorized(client, request, nowMs))
      return {
        ...mdsError(401, 'unauthorized', 'The token is missing, invalid or expired.'),
        headers: { 'www-authenticate': 'Bearer' },
      }
    if (requestsOtherVersion(request, version))
      return mdsError(406, 'unsupported_version', `Only MDS ${version} is supported.`, [version])
    if (request.method !== 'GET') return mdsError(405, 'not_allowed', 'Only GET is allowed.')
    return (
      paths[request.path]?.(request, nowMs) ??
      mdsError(404, 'not_found', `There is nothing at ${request.path}.`)
    )
  }
}
