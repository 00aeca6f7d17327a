import { createHmac } from 'node:crypto'
import type { LiveEvent } from '../live/live-event.ts'
import type { LiveModel } from '../live/live-model.ts'
import type { DemoAnswer, DemoAsk, DemoServer } from './answer.ts'
import { earlierTrip, earlierVehicle, statusChange } from './earlier-records.ts'
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
import type { Slips } from './slips.ts'

/** A client of the token address. */
export interface OAuthClient {
  id: string
  secret: string
}

const version = '1.2'
const hourMs = 3_600_000
const ttl = 60_000
const pageSize = 500
const tokenSeconds = 3600

const answer = (data: Record<string, unknown>, more: Record<string, unknown> = {}): DemoAnswer => ({
  status: 200,
  type: `application/vnd.mds+json;version=${version}`,
  body: { version: `${version}.0`, ...more, data },
})

/** Tokens that say until when they are good, signed with the client's secret. */
const tokenOf = ({ secret }: OAuthClient, until: number): string =>
  `${until}.${createHmac('sha256', secret).update(String(until)).digest('base64url')}`

function giveToken(client: OAuthClient, { headers, body, method }: DemoAsk, at: number): DemoAnswer {
  const form = new URLSearchParams(body)
  const basic = /^Basic +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1]
  const [id = '', secret = ''] = basic
    ? Buffer.from(basic, 'base64')
        .toString()
        .split(':')
        .map((part) => new URLSearchParams(`v=${part}`).get('v') ?? '')
    : [form.get('client_id') ?? '', form.get('client_secret') ?? '']
  if (method !== 'POST') return { status: 405 }
  if (form.get('grant_type') !== 'client_credentials')
    return { status: 400, body: { error: 'unsupported_grant_type' } }
  if (!isSame(`${id} ${secret}`, `${client.id} ${client.secret}`))
    return { status: 401, body: { error: 'invalid_client' } }
  return {
    status: 200,
    body: {
      access_token: tokenOf(client, at + tokenSeconds * 1000),
      token_type: 'Bearer',
      expires_in: tokenSeconds,
    },
    headers: { 'cache-control': 'no-store' },
  }
}

function mayAsk(client: OAuthClient, ask: DemoAsk, at: number): boolean {
  const token = bearerOf(ask)
  const until = Number(token.split('.')[0])
  return until > at && isSame(token, tokenOf(client, until))
}

/** The MDS Provider 1.2 API of an operator whose feeds have slips, for who has a token of its /oauth/token. */
export function serveEarlierMds(
  model: LiveModel,
  operator: string,
  client: OAuthClient,
  slips: Slips,
): DemoServer {
  const changes = (from: number, until: number): Record<string, unknown>[] => {
    const tell = (event: LiveEvent): Record<string, unknown>[] => {
      const { kind, number } = event
      if (slips.isMissing(kind, number)) return []
      const told = statusChange(event, slips)
      return slips.isTwice(kind, number) ? [told, told] : [told]
    }
    return model.events(operator, from, until).flatMap(tell)
  }
  const ofHour = (
    ask: DemoAsk,
    at: number,
    parameter: string,
    tell: (from: number, until: number) => DemoAnswer,
  ): DemoAnswer => {
    const hour = askedHour(ask, parameter, at, slips.lateMs)
    return isAnswer(hour) ? hour : tell(hour, hour + hourMs)
  }
  const paths: Record<string, (ask: DemoAsk, at: number) => DemoAnswer> = {
    '/vehicles': (ask, at) => {
      const { items, links } = pageOf(ask, model.statuses(operator, at), pageSize)
      return answer(
        { vehicles: items.map((status) => earlierVehicle(status, slips)) },
        { last_updated: at, ttl, links },
      )
    },
    '/trips': (ask, at) =>
      ofHour(ask, at, 'end_time', (from, until) =>
        answer({
          trips: model
            .trips(operator, from, until)
            .map((each) => earlierTrip(each, model.route(each), slips)),
        }),
      ),
    '/status_changes': (ask, at) =>
      ofHour(ask, at, 'event_time', (from, until) => answer({ status_changes: changes(from, until) })),
    '/events': (ask, at) => {
      const span = askedSpan(ask, at)
      return isAnswer(span)
        ? span
        : answer(
            { status_changes: changes(span.from, span.until) },
            { links: { first: null, last: null, prev: null, next: null } },
          )
    },
    '/stops': (_ask, at) => answer({ stops: [] }, { last_updated: at, ttl }),
  }
  return (ask, at) => {
    if (ask.path === '/oauth/token') return giveToken(client, ask, at)
    if (!mayAsk(client, ask, at))
      return {
        ...mdsError(401, 'unauthorized', 'The token is missing, wrong or old.'),
        headers: { 'www-authenticate': 'Bearer' },
      }
    if (asksForOther(ask, version))
      return mdsError(406, 'unsupported_version', `Only MDS ${version} is spoken here.`, [version])
    if (ask.method !== 'GET') return mdsError(405, 'not_allowed', 'Only GET is served here.')
    return paths[ask.path]?.(ask, at) ?? mdsError(404, 'not_found', `There is nothing at ${ask.path}.`)
  }
}
