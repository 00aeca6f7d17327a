import { hourMs } from '#contract/period.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import { createFeedContext, type MdsVersion, mdsVersions } from '../mds/mds-context.ts'
import { isItem } from '../mds/fields.ts'
import { createFinding } from '../mds/create-finding.ts'
import { type MdsStream, readRecords, findRecordList } from '../mds/read-mds.ts'
import { readReports } from '../mds/read-reports.ts'
import {
  type Adapter,
  type AdapterFeed,
  type PullWindow,
  type ReadResult,
  type Stream,
  UnreadableBody,
} from './adapter.ts'
import { parseJson, decodeBody, quoteStart } from './response-body.ts'

/** `/events/recent` goes back two weeks. */
const recentMs = 14 * 24 * hourMs
/** So long after the end of an hour, a 404 may mean that the provider's clock is behind. */
const graceMs = hourMs
/** So long after the end of a month, a 404 may mean that its report was not published yet. */
const reportGraceMs = 14 * 24 * hourMs

/** A valid response with more records would exceed the limit of 256 MB (`fetch-page.ts`) first. */
const maxRecords = 1_000_000

/** How a stream is requested. `isPaged`: a response may link to a next page. */
interface Endpoint extends Omit<Stream, 'name'> {
  path: string
  /** The name of the query parameter for the hour. */
  hourParameter?: string
  isPaged?: boolean
}
type StreamName = MdsStream | 'reports'

const endpoints: Record<MdsVersion, Partial<Record<StreamName, Endpoint>>> = {
  '2.0': {
    vehicles: { window: 'now', path: 'vehicles', everySeconds: 3600, isPaged: true },
    status: { window: 'now', path: 'vehicles/status', isPaged: true },
    events: { window: 'hour', path: 'events/historical', hourParameter: 'event_time' },
    recent: { window: 'recent', path: 'events/recent', isPaged: true },
    trips: { window: 'hour', path: 'trips', hourParameter: 'end_time' },
    telemetry: { window: 'hour', path: 'telemetry', hourParameter: 'telemetry_time', isPaged: true },
    stops: { window: 'now', path: 'stops', isPaged: true },
    reports: { window: 'month', path: 'reports' },
  },
  '1.2': {
    vehicles: { window: 'now', path: 'vehicles', isPaged: true },
    events: { window: 'hour', path: 'status_changes', hourParameter: 'event_time' },
    recent: { window: 'recent', path: 'events', isPaged: true },
    trips: { window: 'hour', path: 'trips', hourParameter: 'end_time' },
    stops: { window: 'now', path: 'stops', isPaged: true },
  },
}

const getVersion = (feed: AdapterFeed): MdsVersion =>
  (mdsVersions as readonly string[]).includes(feed.version) ? (feed.version as MdsVersion) : '2.0'

const findEndpoint = (feed: AdapterFeed, stream: string): Endpoint | undefined =>
  Object.hasOwn(endpoints[getVersion(feed)], stream)
    ? endpoints[getVersion(feed)][stream as StreamName]
    : undefined

/** Formats an hour as `YYYY-MM-DDTHH` in UTC. */
const formatHour = (ms: number): string => new Date(ms).toISOString().slice(0, 13)

/** Formats the month of a pull window. The middle of a month is in the same month in all time zones. */
const formatMonth = ({ from, until }: PullWindow): string =>
  new Date((from + until) / 2).toISOString().slice(0, 7)

function buildUrl(feed: AdapterFeed, stream: string, endpoint: Endpoint, pullWindow: PullWindow): string {
  const url = new URL(feed.url)
  const file = stream === 'reports' ? `/${formatMonth(pullWindow)}.csv` : ''
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${endpoint.path}${file}`
  if (endpoint.hourParameter) url.searchParams.set(endpoint.hourParameter, formatHour(pullWindow.from))
  if (endpoint.window === 'recent') {
    url.searchParams.set('start_time', String(Math.max(pullWindow.from, pullWindow.until - recentMs)))
    url.searchParams.set('end_time', String(pullWindow.until))
  }
  return url.href
}

/** Finds the URL of the next page; null on the last page. `findNextRequest` rejects those on other servers. */
function findNextPage(feed: AdapterFeed, body: unknown): string | null {
  const links = isItem(body) ? body['links'] : null
  const next = isItem(links) ? links['next'] : null
  if (typeof next !== 'string' || !next) return null
  const base = new URL(feed.url)
  const url = URL.canParse(next, base) ? new URL(next, base) : null
  // A server behind a proxy may create links with plain HTTP, so protocol and port are those of the feed.
  return url?.hostname === base.hostname ? `${base.origin}${url.pathname}${url.search}` : next
}

function readReport(feed: AdapterFeed, text: string, received: number): ReadResult {
  const report = readReports(text, createFeedContext(feed, received))
  if (!report)
    throw new UnreadableBody(`The response is not an MDS report. It begins with ${quoteStart(text)}.`)
  return { records: { ...noRecords(), findings: report.findings }, next: null, other: report.rows }
}

/**
 * MDS Provider APIs of operators. Settings: `streams`, the requested ones (by default all); `mode`, the MDS
 * mode of the records (`createFeedContext`).
 */
export const mdsProvider: Adapter = {
  kind: 'mds_provider',
  versions: mdsVersions,
  streams(feed) {
    const selected = feed.settings['streams']
    return Object.entries(endpoints[getVersion(feed)]).flatMap(([name, { window, everySeconds }]) =>
      Array.isArray(selected) && !selected.includes(name)
        ? []
        : [{ name, window, ...(everySeconds ? { everySeconds } : {}) }],
    )
  },
  request(feed, stream, pullWindow) {
    const endpoint = findEndpoint(feed, stream)
    if (!endpoint) throw new Error(`MDS ${feed.version} has no stream ${stream}`)
    const mediaType = stream === 'reports' ? 'text/vnd.mds+csv' : 'application/vnd.mds+json'
    const headers = { accept: `${mediaType};version=${getVersion(feed)}` }
    return { url: buildUrl(feed, stream, endpoint, pullWindow), headers }
  },
  readiness(status, stream, pullWindow, now) {
    if (status === 202 || status === 102) return 'not_yet'
    if (status !== 404) return undefined
    // 404 for current data means that there is none; for a past hour, that the operator was not active.
    const grace = stream === 'reports' ? reportGraceMs : graceMs
    const isContinuous = ['vehicles', 'status', 'recent', 'stops'].includes(stream)
    return isContinuous || now >= pullWindow.until + grace ? 'nothing' : 'not_yet'
  },
  read(feed, stream, bytes, received) {
    const endpoint = findEndpoint(feed, stream)
    if (!endpoint) throw new Error(`MDS ${feed.version} has no stream ${stream}`)
    const text = decodeBody(bytes)
    if (stream === 'reports') return readReport(feed, text, received)
    const body = parseJson(text)
    const version = getVersion(feed)
    const bodyVersion = isItem(body) ? body['version'] : undefined
    if (typeof bodyVersion === 'string' && bodyVersion.split('.')[0] !== version.split('.')[0])
      throw new UnreadableBody(`The response is MDS ${bodyVersion.slice(0, 20)}; ${version} was requested.`)
    const list = findRecordList(version, stream as MdsStream, body)
    if (!list)
      throw new UnreadableBody(
        `The response contains no list of ${stream}. It begins with ${quoteStart(text)}.`,
      )
    if (list.items.length > maxRecords)
      throw new UnreadableBody(
        `The response contains ${list.items.length} records; the maximum is ${maxRecords}.`,
      )
    const records = readRecords(version, list, createFeedContext(feed, received))
    const next = findNextPage(feed, body)
    if (next && !endpoint.isPaged)
      records.findings.push(
        createFinding({
          kind: 'schema',
          recordId: '',
          field: 'links.next',
          reason: 'An hour must be a single response; the page that links.next names is not read.',
          item: { next },
        }),
      )
    return { records, next: endpoint.isPaged ? next : null }
  },
}
