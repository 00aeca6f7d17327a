import { feedContext, type MdsVersion, mdsVersions } from '#server/ingest/mds/mds-context.ts'
import { isItem } from '#server/ingest/mds/fields.ts'
import { findingOf } from '#server/ingest/mds/finding-of.ts'
import { type MdsStream, readMds, recordsIn } from '#server/ingest/mds/read-mds.ts'
import { readReports } from '#server/ingest/mds/read-reports.ts'
import { noRecords } from '#server/mobility/fleet/feed-records.ts'
import {
  type Adapter,
  type FeedAsked,
  type Piece,
  type Read,
  type Stream,
  UnreadableBody,
} from './adapter.ts'
import { refuseExcess } from './refuse-excess.ts'

const hourMs = 3_600_000
/** A provider keeps recent events for two weeks. */
const recentMs = 14 * 24 * hourMs
/** After an hour has passed, a 404 may still mean that the provider's clock is behind. */
const graceMs = hourMs
/** A month's report is written in the days after. */
const reportGraceMs = 14 * 24 * hourMs

/** An honest answer is over its 256 MB before it holds as many. */
const mostRecords = 1_000_000

/** How a stream is asked for. `paged`: its answer may name a next page. */
interface Endpoint extends Omit<Stream, 'name'> {
  path: string
  /** The parameter with the hour. */
  hour?: string
  paged?: boolean
}
type StreamName = MdsStream | 'reports'

const endpoints: Record<MdsVersion, Partial<Record<StreamName, Endpoint>>> = {
  '2.0': {
    vehicles: { by: 'now', path: 'vehicles', every: 3600, paged: true },
    status: { by: 'now', path: 'vehicles/status', paged: true },
    events: { by: 'hour', path: 'events/historical', hour: 'event_time' },
    recent: { by: 'window', path: 'events/recent', paged: true },
    trips: { by: 'hour', path: 'trips', hour: 'end_time' },
    telemetry: { by: 'hour', path: 'telemetry', hour: 'telemetry_time', paged: true },
    stops: { by: 'now', path: 'stops', paged: true },
    reports: { by: 'month', path: 'reports' },
  },
  '1.2': {
    vehicles: { by: 'now', path: 'vehicles', paged: true },
    events: { by: 'hour', path: 'status_changes', hour: 'event_time' },
    recent: { by: 'window', path: 'events', paged: true },
    trips: { by: 'hour', path: 'trips', hour: 'end_time' },
    stops: { by: 'now', path: 'stops', paged: true },
  },
}

const versionOf = (feed: FeedAsked): MdsVersion =>
  (mdsVersions as readonly string[]).includes(feed.version) ? (feed.version as MdsVersion) : '2.0'

const endpointOf = (feed: FeedAsked, stream: string): Endpoint | undefined =>
  Object.hasOwn(endpoints[versionOf(feed)], stream)
    ? endpoints[versionOf(feed)][stream as StreamName]
    : undefined

/** An hour as `YYYY-MM-DDTHH`, in UTC. */
const hourText = (ms: number): string => new Date(ms).toISOString().slice(0, 13)

/** The month that most of a piece lies in, wherever its days begin. */
const monthText = ({ from, until }: Piece): string => new Date((from + until) / 2).toISOString().slice(0, 7)

function urlOf(feed: FeedAsked, stream: string, endpoint: Endpoint, piece: Piece): string {
  const url = new URL(feed.url)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${endpoint.path}${stream === 'reports' ? `/${monthText(piece)}.csv` : ''}`
  if (endpoint.hour) url.searchParams.set(endpoint.hour, hourText(piece.from))
  if (endpoint.by === 'window') {
    url.searchParams.set('start_time', String(Math.max(piece.from, piece.until - recentMs)))
    url.searchParams.set('end_time', String(piece.until))
  }
  return url.href
}

/** The beginning of a body, for a message. */
const beginning = (text: string): string =>
  `“${text
    .slice(0, 80)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()}”`

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const start = text.trimStart()
    if (!start) throw new UnreadableBody('The answer is empty.')
    if (start.startsWith('<'))
      throw new UnreadableBody(`The answer is a web page, no JSON. It begins with ${beginning(start)}.`)
    if (/^[[{]/.test(start) && !/[\]}]\s*$/.test(text.slice(-100)))
      throw new UnreadableBody(`The answer breaks off before its end. It begins with ${beginning(start)}.`)
    throw new UnreadableBody(`The answer is no JSON. It begins with ${beginning(start)}.`)
  }
}

/** Where the next page is: on the feed's own host, so that its secrets stay there. */
function nextOf(feed: FeedAsked, body: unknown): string | null {
  const links = isItem(body) ? body['links'] : null
  const next = isItem(links) ? links['next'] : null
  if (typeof next !== 'string' || !next) return null
  const base = new URL(feed.url)
  const url = URL.canParse(next, base) ? new URL(next, base) : null
  if (url?.hostname !== base.hostname)
    throw new UnreadableBody(
      `The next page is said to be elsewhere, at ${beginning(next)}; pages are read from ${base.hostname} only.`,
    )
  // Behind a proxy a server may think that it speaks plain HTTP.
  return `${base.origin}${url.pathname}${url.search}`
}

function readReport(feed: FeedAsked, text: string, received: number): Read {
  const read = readReports(text, feedContext(feed, received))
  if (!read) throw new UnreadableBody(`The answer is no report of MDS. It begins with ${beginning(text)}.`)
  return { records: { ...noRecords(), findings: read.findings }, next: null, other: read.rows }
}

/** Feeds of operators that speak MDS Provider. Settings: `streams`, those that are asked for (default all); `mode`. */
export const mdsProvider: Adapter = {
  kind: 'mds_provider',
  versions: mdsVersions,
  streams(feed) {
    const wanted = feed.settings['streams']
    return Object.entries(endpoints[versionOf(feed)]).flatMap(([name, { by, every }]) =>
      Array.isArray(wanted) && !wanted.includes(name) ? [] : [{ name, by, ...(every ? { every } : {}) }],
    )
  },
  request(feed, stream, piece) {
    const endpoint = endpointOf(feed, stream)
    if (!endpoint) throw new Error(`MDS ${feed.version} has no stream ${stream}`)
    return {
      url: urlOf(feed, stream, endpoint, piece),
      headers: {
        accept: `${stream === 'reports' ? 'text/vnd.mds+csv' : 'application/vnd.mds+json'};version=${versionOf(feed)}`,
      },
    }
  },
  standing(status, stream, piece, now) {
    if (status === 202 || status === 102) return 'not_yet'
    if (status !== 404) return undefined
    // Of what stands now, nothing is there. An hour that has passed without anything: the operator did not run.
    const grace = stream === 'reports' ? reportGraceMs : graceMs
    const isPast = ['vehicles', 'status', 'recent', 'stops'].includes(stream) || now >= piece.until + grace
    return isPast ? 'nothing' : 'not_yet'
  },
  read(feed, stream, bytes, received) {
    const endpoint = endpointOf(feed, stream)
    if (!endpoint) throw new Error(`MDS ${feed.version} has no stream ${stream}`)
    refuseExcess(bytes)
    const text = new TextDecoder().decode(bytes)
    if (stream === 'reports') return readReport(feed, text, received)
    const body = parse(text)
    const version = versionOf(feed)
    const said = isItem(body) ? body['version'] : undefined
    if (typeof said === 'string' && said.split('.')[0] !== version.split('.')[0])
      throw new UnreadableBody(`The answer is MDS ${said.slice(0, 20)}; ${version} was asked for.`)
    const name = stream as MdsStream
    const list = recordsIn(version, name, body)
    if (!list)
      throw new UnreadableBody(`The answer holds no list of ${stream}. It begins with ${beginning(text)}.`)
    if (list.items.length > mostRecords)
      throw new UnreadableBody(
        `The answer holds ${list.items.length} records; at most ${mostRecords} are read of one.`,
      )
    const records = readMds(version, name, body, feedContext(feed, received))
    const next = nextOf(feed, body)
    if (next && !endpoint.paged)
      records.findings.push(
        findingOf(
          'schema',
          '',
          'links.next',
          'An hour must come in one answer; the page that links.next names is not read.',
          { next },
        ),
      )
    return { records, next: endpoint.paged ? next : null }
  },
}
