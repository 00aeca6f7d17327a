import { feedContext, type MdsVersion, mdsVersions } from '../mds/mds-context.ts'
import { isItem } from '../mds/fields.ts'
import { findingOf } from '../mds/finding-of.ts'
import { type MdsStream, readRecords, recordsIn } from '../mds/read-mds.ts'
import { readReports } from '../mds/read-reports.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import {
  type Adapter,
  type AdapterFeed,
  type PullWindow,
  type Read,
  type Stream,
  UnreadableBody,
} from './adapter.ts'
import { answerJson, answerText, beginning } from './answer-body.ts'

const hourMs = 3_600_000
/** Providers serve recent events for two weeks. */
const recentMs = 14 * 24 * hourMs
/** Until an hour after the end of an hour, a 404 may mean that the provider's clock is behind. */
const graceMs = hourMs
/** Monthly reports are written in the days after the month. */
const reportGraceMs = 14 * 24 * hourMs

/** A legitimate response exceeds 256 MB before it has this many records. */
const maxRecords = 1_000_000

/** How a stream is requested. `paged`: a response may name a next page. */
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

const versionOf = (feed: AdapterFeed): MdsVersion =>
  (mdsVersions as readonly string[]).includes(feed.version) ? (feed.version as MdsVersion) : '2.0'

const endpointOf = (feed: AdapterFeed, stream: string): Endpoint | undefined =>
  Object.hasOwn(endpoints[versionOf(feed)], stream)
    ? endpoints[versionOf(feed)][stream as StreamName]
    : undefined

/** An hour as `YYYY-MM-DDTHH`, in UTC. */
const hourText = (ms: number): string => new Date(ms).toISOString().slice(0, 13)

/** The month that contains the middle of a pull window, in any time zone. */
const monthText = ({ from, until }: PullWindow): string =>
  new Date((from + until) / 2).toISOString().slice(0, 7)

function urlOf(feed: AdapterFeed, stream: string, endpoint: Endpoint, pullWindow: PullWindow): string {
  const url = new URL(feed.url)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${endpoint.path}${stream === 'reports' ? `/${monthText(pullWindow)}.csv` : ''}`
  if (endpoint.hour) url.searchParams.set(endpoint.hour, hourText(pullWindow.from))
  if (endpoint.by === 'window') {
    url.searchParams.set('start_time', String(Math.max(pullWindow.from, pullWindow.until - recentMs)))
    url.searchParams.set('end_time', String(pullWindow.until))
  }
  return url.href
}

/** The address of the next page; `nextRequest` refuses those of other servers. */
function nextOf(feed: AdapterFeed, body: unknown): string | null {
  const links = isItem(body) ? body['links'] : null
  const next = isItem(links) ? links['next'] : null
  if (typeof next !== 'string' || !next) return null
  const base = new URL(feed.url)
  const url = URL.canParse(next, base) ? new URL(next, base) : null
  // Behind a proxy a server may believe that it is serving plain HTTP.
  return url?.hostname === base.hostname ? `${base.origin}${url.pathname}${url.search}` : next
}

function readReport(feed: AdapterFeed, text: string, received: number): Read {
  const read = readReports(text, feedContext(feed, received))
  if (!read) throw new UnreadableBody(`The response is not an MDS report. It begins with ${beginning(text)}.`)
  return { records: { ...noRecords(), findings: read.findings }, next: null, other: read.rows }
}

/** Feeds of operators with MDS Provider. Settings: `streams`, the requested ones (default all); `mode`. */
export const mdsProvider: Adapter = {
  kind: 'mds_provider',
  versions: mdsVersions,
  streams(feed) {
    const selected = feed.settings['streams']
    return Object.entries(endpoints[versionOf(feed)]).flatMap(([name, { by, every }]) =>
      Array.isArray(selected) && !selected.includes(name) ? [] : [{ name, by, ...(every ? { every } : {}) }],
    )
  },
  request(feed, stream, pullWindow) {
    const endpoint = endpointOf(feed, stream)
    if (!endpoint) throw new Error(`MDS ${feed.version} has no stream ${stream}`)
    return {
      url: urlOf(feed, stream, endpoint, pullWindow),
      headers: {
        accept: `${stream === 'reports' ? 'text/vnd.mds+csv' : 'application/vnd.mds+json'};version=${versionOf(feed)}`,
      },
    }
  },
  readiness(status, stream, pullWindow, now) {
    if (status === 202 || status === 102) return 'not_yet'
    if (status !== 404) return undefined
    // Current data that is not found does not exist. A past hour without data: the operator did not run.
    const grace = stream === 'reports' ? reportGraceMs : graceMs
    const isPast =
      ['vehicles', 'status', 'recent', 'stops'].includes(stream) || now >= pullWindow.until + grace
    return isPast ? 'nothing' : 'not_yet'
  },
  read(feed, stream, bytes, received) {
    const endpoint = endpointOf(feed, stream)
    if (!endpoint) throw new Error(`MDS ${feed.version} has no stream ${stream}`)
    const text = answerText(bytes)
    if (stream === 'reports') return readReport(feed, text, received)
    const body = answerJson(text)
    const version = versionOf(feed)
    const bodyVersion = isItem(body) ? body['version'] : undefined
    if (typeof bodyVersion === 'string' && bodyVersion.split('.')[0] !== version.split('.')[0])
      throw new UnreadableBody(`The response is MDS ${bodyVersion.slice(0, 20)}; ${version} was requested.`)
    const name = stream as MdsStream
    const list = recordsIn(version, name, body)
    if (!list)
      throw new UnreadableBody(`The response holds no list of ${stream}. It begins with ${beginning(text)}.`)
    if (list.items.length > maxRecords)
      throw new UnreadableBody(
        `The response holds ${list.items.length} records; the maximum is ${maxRecords}.`,
      )
    const records = readRecords(version, list, feedContext(feed, received))
    const next = nextOf(feed, body)
    if (next && !endpoint.paged)
      records.findings.push(
        findingOf(
          'schema',
          '',
          'links.next',
          'An hour must be a single response; the page that links.next names is not read.',
          { next },
        ),
      )
    return { records, next: endpoint.paged ? next : null }
  },
}
