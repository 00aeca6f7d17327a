import { readXml, type XmlElement } from '#server/geography/boundary-files/read-xml.ts'
import type { IssueReport } from '#server/issues/issue-report.ts'
import { maxRawLength, noRecords } from '#server/fleet/events/feed-records.ts'
import { fileReasons } from '#server/table-files/row-reasons.ts'
import { createIssueRecordReader, type IssueRecord } from '#server/issues/records/issue-records.ts'
import { toPlainText, removeContacts } from '#server/table-files/plain-text.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { dayMs } from '#contract/period.ts'
import {
  type Adapter,
  type AdapterFeed,
  type PullWindow,
  type ReadResult,
  UnreadableBody,
} from './adapter.ts'
import { parseJson, decodeBody, isObject } from './response-body.ts'

/** The content of an Open311 feed, for its sink. */
export type Open311Content =
  | { kind: 'requests'; issues: IssueReport[] }
  | { kind: 'services'; services: { code: string; name: string }[] }

/** According to GeoReport v2 a list spans at most 90 days and contains at most 1,000 requests. */
const maxDays = 90
/** Servers limit their lists to round numbers, so a list with exactly this length may be truncated. */
const usualLimits: readonly number[] = [50, 100, 200, 250, 500, 1000]

/** Returns a setting that is a text; '' if it is not set. */
const getSetting = ({ settings }: AdapterFeed, name: string): string =>
  typeof settings[name] === 'string' ? settings[name].trim() : ''
/** Formats a time in whole seconds of UTC, such as `2026-01-31T12:00:00Z`. */
const formatTime = (ms: number): string =>
  new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z')
const isXml = (feed: AdapterFeed): boolean => getSetting(feed, 'format') === 'xml'

function buildUrl(feed: AdapterFeed, path: string, query: Record<string, string>): string {
  const url = new URL(feed.url)
  // The URL of the feed may be that of one of its lists or that of its root.
  const rootPath = url.pathname.replace(/\/(requests|services|discovery)(\.\w+)?\/?$/, '').replace(/\/+$/, '')
  url.pathname = `${rootPath}/${path}.${isXml(feed) ? 'xml' : 'json'}`
  for (const [name, value] of Object.entries({
    jurisdiction_id: getSetting(feed, 'jurisdiction_id'),
    ...query,
  }))
    if (value) url.searchParams.set(name, value)
  return url.href
}

const buildRequestsUrl = (feed: AdapterFeed, from: number, until: number): string =>
  buildUrl(feed, 'requests', {
    service_code: getSetting(feed, 'service_code'),
    start_date: formatTime(from),
    end_date: formatTime(until),
  })

/** Converts an element to an object with its children as fields, as in JSON. */
const toRecord = ({ children }: XmlElement): IssueRecord =>
  Object.fromEntries(children.map((child) => [child.name, child.text]))

function parseXmlList(text: string): { records: IssueRecord[]; isErrors: boolean } {
  let root: XmlElement
  try {
    root = readXml(text)
  } catch (error) {
    throw new UnreadableBody(
      error instanceof Error ? error.message.replace('The file', 'The response') : 'The response is not XML.',
    )
  }
  if (/^html$/i.test(root.name))
    throw new UnreadableBody('The response is a web page, not a list of Open311.')
  return { records: root.children.map(toRecord), isErrors: root.name === 'errors' }
}

function parseJsonList(text: string): { records: unknown[]; isErrors: boolean } {
  const body = parseJson(text)
  const candidates = isObject(body) ? Object.values(body) : [body]
  const list = candidates.find(Array.isArray) as unknown[] | undefined
  if (!list) throw new UnreadableBody('The response contains no list of Open311.')
  return { records: list, isErrors: false }
}

/**
 * Parses a list in JSON or XML.
 * @throws UnreadableBody with the server's message if the response is an error.
 */
function parseList(bytes: Uint8Array): unknown[] {
  const text = decodeBody(bytes)
  const { records, isErrors } = text.trimStart().startsWith('<') ? parseXmlList(text) : parseJsonList(text)
  const firstRecord = isObject(records[0]) ? records[0] : null
  const isError =
    firstRecord !== null &&
    'code' in firstRecord &&
    'description' in firstRecord &&
    !('service_request_id' in firstRecord) &&
    !('service_code' in firstRecord)
  if (!isErrors && !isError) return records
  const message = firstRecord
    ? toPlainText(firstRecord['description'], 200) || toPlainText(firstRecord['code'], 20)
    : 'without a message'
  throw new UnreadableBody(`The server responded with an error: ${message}`)
}

/**
 * Builds the URL for the requests that a truncated list lacks: those before its oldest request, or after its
 * newest one if the list is sorted from the oldest. Null if the list is complete. `count`: the list's length,
 * including invalid records. Times are ms since 1970.
 */
function buildRestUrl(
  feed: AdapterFeed,
  issues: readonly IssueReport[],
  count: number,
  requested: { from: number; until: number },
): string | null {
  const limit = Number(feed.settings['limit'])
  const isFull = limit > 0 ? count >= limit : usualLimits.includes(count) || count > 1000
  const times = issues.map((issue) => issue.requested)
  const firstTime = times[0]
  const lastTime = times.at(-1)
  if (!isFull || firstTime === undefined || lastTime === undefined) return null
  const oldest = times.reduce((a, b) => Math.min(a, b))
  const newest = times.reduce((a, b) => Math.max(a, b))
  // If all requests are within one second, the range cannot be narrowed.
  if (formatTime(oldest) === formatTime(newest)) return null
  return firstTime < lastTime
    ? buildRequestsUrl(feed, newest, Math.max(requested.until, newest))
    : buildRequestsUrl(feed, Math.min(requested.from, oldest), oldest)
}

/** Derives the time range for which a list was requested from its content, because adapters are pure. */
function findRequestedRange(
  feed: AdapterFeed,
  stream: string,
  issues: readonly IssueReport[],
  received: number,
): { from: number; until: number } {
  if (stream !== 'history') return { from: received - countRecentDays(feed) * dayMs, until: received }
  const clock = civilClock(feed.timezone)
  const { day } = clock.local(issues[0]?.requested ?? received)
  const date = new Date(day * dayMs)
  const startOfMonth = (offset: number): number =>
    clock.instant(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1) / dayMs, 0).ms
  return { from: startOfMonth(0), until: startOfMonth(1) }
}

/** Returns the number of recent days that are requested repeatedly: `days`, by default `maxDays`. */
const countRecentDays = ({ settings }: AdapterFeed): number =>
  Math.min(maxDays, Math.max(1, Number(settings['days']) || maxDays))

function readRequests(feed: AdapterFeed, stream: string, bytes: Uint8Array, received: number): ReadResult {
  const list = parseList(bytes)
  const records = noRecords()
  const reader = createIssueRecordReader(list, civilClock(feed.timezone), null)
  if (list.length && !reader)
    throw new UnreadableBody(
      'The response is a list, but not of requests: it has no service_request_id, requested_datetime, status and service.',
    )
  const issues: IssueReport[] = []
  for (const [index, record] of list.entries()) {
    const result = reader?.read(record)
    if (!result) continue
    if ('reason' in result)
      records.findings.push({
        kind: 'schema',
        recordId: (isObject(record) && toPlainText(record['service_request_id'], 200)) || String(index),
        field: `requests[${index}]`,
        reason: `${fileReasons[result.reason]}${result.detail && ` (${result.detail})`}.`,
        raw: removeContacts(JSON.stringify(reader?.getRetained(record) ?? {})).slice(0, maxRawLength),
      })
    else issues.push(result)
  }
  return {
    records,
    next: buildRestUrl(feed, issues, list.length, findRequestedRange(feed, stream, issues, received)),
    other: { kind: 'requests', issues } satisfies Open311Content,
  }
}

function readServices(bytes: Uint8Array): ReadResult {
  const services = parseList(bytes)
    .filter(isObject)
    .map((service) => ({
      code: toPlainText(service['service_code'], 200),
      name: toPlainText(service['service_name'], 200),
    }))
    .filter(({ code, name }) => code && name)
  return { records: noRecords(), next: null, other: { kind: 'services', services } satisfies Open311Content }
}

/**
 * Open311 GeoReport v2 in JSON or XML. The last days are requested repeatedly, because the status of requests
 * changes; earlier months once. Settings: `days` (90), `format` (`json`, `xml`), `jurisdiction_id`,
 * `service_code` (comma-separated), `limit` (the maximum number of requests per response of this server).
 */
export const openThreeOneOne: Adapter = {
  kind: 'open311',
  versions: ['v2'],
  streams: () => [
    { name: 'services', window: 'now', everySeconds: 24 * 3600 },
    { name: 'requests', window: 'now' },
    { name: 'history', window: 'month' },
  ],
  request(feed, stream, pullWindow: PullWindow) {
    const headers = { accept: isXml(feed) ? 'text/xml, application/xml' : 'application/json' }
    if (stream === 'services') return { url: buildUrl(feed, 'services', {}), headers }
    // Both ends of the pull window of a `now` stream are the time of the request.
    const from = stream === 'history' ? pullWindow.from : pullWindow.until - countRecentDays(feed) * dayMs
    return { url: buildRequestsUrl(feed, from, pullWindow.until), headers }
  },
  // According to GeoReport v2 a server may respond with 404 if a time range is empty.
  readiness: (status, stream) => (status === 404 && stream === 'history' ? 'nothing' : undefined),
  read: (feed, stream, body, received) =>
    stream === 'services' ? readServices(body) : readRequests(feed, stream, body, received),
}
